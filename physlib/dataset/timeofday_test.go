package dataset

import "testing"

// checkAll checks each file in a subtest.
func checkAll(t *testing.T, files []oddFile) {
	t.Helper()
	for _, c := range files {
		t.Run(c.name, c.check)
	}
}

func TestFormsOfTimes(t *testing.T) {
	const cells = ",V\n0:00,12\n0:15,9\n1:00,5\n"
	const hours, minutes = " [s]: 0 900 3600 | V: 12 9 5", " [s]: 0 15 60 | V: 12 9 5"
	checkAll(t, []oddFile{
		{"h:min", "t (h:min)" + cells, Options{}, "t" + hours, "in the form that its heading gives, and is called t|read as hours and minutes, in seconds"},
		{"hh:mm as a unit", "t [hh:mm]" + cells, Options{}, "t" + hours, "hours and minutes"},
		{"hh:mm behind the name", "Time (hh:mm)" + cells, Options{}, "Time" + hours, "hours and minutes"},
		{"h:mm after a blank", "uptime h:mm" + cells, Options{}, "uptime" + hours, "hours and minutes"},
		{"hh:mm alone", "HH:MM" + cells, Options{}, "time" + hours, "hours and minutes"},
		{"mm:ss", "t [mm:ss]" + cells, Options{}, "t" + minutes, "read as minutes and seconds, in seconds"},
		{"min:s", "t (min:s)" + cells, Options{}, "t" + minutes, "minutes and seconds"},
		{"no form", "t" + cells, Options{}, "t" + minutes, "minutes and seconds, in seconds; this is a guess"},
		{"a night in hh:mm", "t [hh:mm],V\n21:00,1\n7:00,2\n12:00,4\n", Options{}, "t [s]: 0 36000 54000 | V: 1 2 4", "pass midnight|hours and minutes"},
		{"from the evening on in mm:ss", "t [mm:ss],V\n23:50,1\n0:10,2\n0:20,4\n", Options{}, "t [s]: 1430 10 20 | V: 1 2 4", "minutes and seconds"},
		{"times of day by name", "Uhrzeit,V\n14:00,1\n9:00,2\n9:30,4\n", Options{}, "Uhrzeit [s]: 50400 32400 34200 | V: 1 2 4", "hours and minutes"},
	})
}

func TestDateAndTime(t *testing.T) {
	checkAll(t, []oddFile{
		{"over midnight", "Date,Time,V\n2023-03-01,22:00:00,12\n2023-03-01,23:30:00,11\n2023-03-02,01:00:00,9\n2023-03-04,01:00:00,7\n", Options{},
			"Time [s]: 0 5400 10800 183600 | V: 12 11 9 7", "columns Date and Time are read as one time, Time; to keep them apart, name both in --columns|since 2023-03-01 22:00:00"},
		{"hours and minutes with gaps", "Date,Time,V\n2023-03-01,10:00,12\n2023-03-01,14:00,11\n2023-03-02,09:00,9\n", Options{}, "Time [s]: 0 14400 82800 | V: 12 11 9", "one time"},
		{"the unit of the time", "Date,Time [h],V\n2023-03-01,10:00,12\n2023-03-01,14:00,11\n2023-03-02,09:00,9\n", Options{}, "Time [h]: 0 4 23 | V: 12 11 9", "one time|times in h since"},
		{"a missing date", "Date,Time,V\n2023-03-01,10:00,12\n,14:00,11\n2023-03-02,09:00,9\n2023-03-02,10:00,8\n", Options{}, "Time [s]: 0 82800 86400 | V: 12 9 8", "1 row of 4 set aside, where cells are missing: row 3, Time (empty)"},
		{"dates with slashes", "Date,Time,V\n28/02/2023,10:00,12\n28/02/2023,14:00,11\n1/03/2023,09:00,9\n", Options{}, "Time [s]: 0 14400 82800 | V: 12 11 9", "day/month/year"},
		{"kept apart", "Date,Time,V\n2023-03-01,10:00,12\n2023-03-01,14:00,11\n2023-03-02,09:00,9\n", Options{Columns: []string{"Date", "Time", "V"}},
			"Date [d]: 0 0 1 | Time [s]: 36000 50400 32400 | V: 12 11 9", "hours and minutes"},
		{"the date used alone", "Date,Time,V\n2023-03-01,10:00,12\n2023-03-01,14:00,11\n2023-03-02,09:00,9\n", Options{Uses: []string{"Date"}}, "Date [d]: 0 0 1 | Time [s]: 36000 50400 32400 | V: 12 11 9", "hours and minutes"},
		{"durations", "Date,Duration,V\n2023-03-01,10:00,12\n2023-03-01,14:00,11\n2023-03-02,09:00,9\n", Options{}, "Date [d]: 0 0 1 | Duration [s]: 600 840 540 | V: 12 11 9", "minutes and seconds"},
		{"races", "Date,Time,V\n2023-03-01,0:45:10,12\n2023-03-02,0:44:00,11\n2023-03-05,0:43:20,9\n", Options{}, "Date [d]: 0 1 4 | Time [s]: 2710 2640 2600 | V: 12 11 9", "Time: times are read as hours"},
	})
}
