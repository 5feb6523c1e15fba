# Writes the files beside it, by the programs that people use: pandas 2, openpyxl 3, odfpy 1, pyarrow, NumPy.
import datetime
import decimal

import numpy as np
import openpyxl
import pandas as pd

rows = pd.DataFrame({
    "name": ["a", "b", None, "d"],
    "day": pd.to_datetime(["2025-01-01", "2025-01-02", "2025-01-04", "2025-01-05"]),
    "x [m]": [0.1, 0.2, 0.30000000000000004, 1e-300],
    "n": [1, 2, 3, 5],
    "y": [1.5, np.nan, 2.5, 4.5],
})
rows.to_excel("pandas.xlsx", index=False)
rows.to_excel("index.xlsx")
rows.to_excel("pandas.ods", index=False, engine="odf")
rows.to_parquet("pandas.parquet", index=False)
rows.astype({"x [m]": "float32"}).to_parquet("zstd.parquet", index=False, compression="zstd")
rows.assign(price=[decimal.Decimal("1.25"), decimal.Decimal("2.50"), None, decimal.Decimal("-3.75")],
            at=[datetime.time(12, 30, k) for k in range(4)], ok=[True, False, True, True],
            many=[[1], [2, 3], [], [4]]).to_parquet("types.parquet", index=False, compression="gzip")

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Run 1"
for row in [["My pendulum"], [], ["l", "T", "share", "when", "note"], ["m", "s", None, None, None],
            [0.2, 0.922, 0.5, datetime.time(12, 30, 5), "a"], [0.3, 1.119, 0.25, datetime.time(12, 30, 6), None],
            [0.4, "#N/A", 0.125, datetime.time(12, 31, 5), "b"], [0.5, 1.444, 1, datetime.time(12, 32, 5), None]]:
    sheet.append(row)
for k in range(5, 9):
    sheet.cell(k, 3).number_format = "0.0%"
second = book.create_sheet("Run 2")
for row in [["l", "T"], [1, 2.01], [2, 2.84], [3, 3.47]]:
    second.append(row)
book.create_sheet("empty")
book.save("sheets.xlsx")
second["B3"] = "=SQRT(8)"  # without its result, as no program has calculated it
book.remove(sheet)
book.save("formula.xlsx")

np.save("plain.npy", np.array([[1, 2.5], [2, 3.5], [3, 5.5]]))
np.save("fortran.npy", np.asfortranarray(np.array([[1, 2.5], [2, 3.5], [3, 5.5]], dtype=">f4")))
np.save("fields.npy", np.array([("a", 1, 2.5, "2025-01-01"), ("bé", 2, 3.5, "2025-01-03"), ("c", 3, 5.5, "2025-01-04")],
                               dtype=[("name", "U2"), ("n", "i2"), ("y", "f2"), ("day", "M8[D]")]))
np.save("one.npy", np.arange(5.0))
np.save("cube.npy", np.zeros((2, 2, 2)))
np.save("objects.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
np.save("complex.npy", np.array([[1j, 2], [3, 4]]))
np.savez("columns.npz", t=np.arange(4.0), x=np.array([1, 4, 9.5, 16]))
np.savez_compressed("tables.npz", a=np.array([[1, 2.0], [2, 3.5]]), b=np.array([[5, 2.0], [6, 3.5]]))
np.savez("onetable.npz", about=np.array(7), a=np.array([[1, 2.0], [2, 3.5], [4, 1]]))

np.save("texts.npy", np.array(["a", "b"]))
np.savez("uneven.npz", t=np.arange(4.0), x=np.array([1.0, 4.0]))
pd.DataFrame({"x": [[1.0, 2.0], [3.0]], "y": [1.0, 2.0]}).to_parquet("nested.parquet", index=False)
pd.DataFrame({"x": [], "y": []}, dtype=float).to_parquet("empty.parquet", index=False)
book = openpyxl.Workbook()
for row in [["l", "T"], [1, "=SQRT(4)"], [2, "=SQRT(8)"], [3, "=SQRT(12)"]]:
    book.active.append(row)
book.save("formulas.xlsx")

indexed = pd.DataFrame({"t": pd.to_timedelta([0.5, 1.5, 4], "s"), "y": [2.0, 4.0, 7.0]}, index=pd.Index([1.5, 2, 3.5], name="x"))
indexed.to_parquet("indexed.parquet")
indexed.set_axis(pd.Index([3, 5, 6])).to_parquet("unnamed.parquet")
import pyarrow as pa, pyarrow.parquet
x = [2.1, 4.2, 6.1, 8.3, 9.9, 12.4]
at = [datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=s) for s in range(0, 180, 30)]
pa.parquet.write_table(pa.table({
    "t": pa.array(at, pa.timestamp("ns")), "d": pa.array([decimal.Decimal(str(v)) for v in x], pa.decimal128(10, 3)),
    "dur": pa.array(range(0, 60000, 10000), pa.duration("us")), "n": pa.array([1, None, 3, 4, 5, 6], pa.int64()),
    "f16": np.array(x, "f2"), "cat": pa.array(list("abcabc")).dictionary_encode(), "y": x}), "arrow.parquet")
np.savez("shapes.npz", t=np.arange(4.0), x=np.array([1, 4, 9.5, 16]), params=np.array([1.0, 2, 3]), g=9.81)
