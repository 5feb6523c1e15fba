package corpus_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/corpus"
)

func Example() {
	problems, err := corpus.Suite("feynman")
	if err != nil {
		panic(err)
	}
	p := problems[5]
	fmt.Println(p.ID, p.Output, "=", p.Law)

	table, err := p.Sample(1000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		panic(err)
	}
	fmt.Println(table.Rows(), "rows of", table.Vars[0].Name, table.Vars[1].Name, table.Vars[2].Name)
	// Output:
	// I.10.7 m = m_0/sqrt(1-v**2/c**2)
	// 1000 rows of m_0 v c
}
