# expect: nothing
# why: row totals kept as a column times column totals: the expected table of independence
import numpy as np
table = np.array([[10.0, 20.0, 5.0], [8.0, 12.0, 9.0], [4.0, 6.0, 11.0]])
row_totals = table.sum(axis=1, keepdims=True)
column_totals = table.sum(axis=0)
expected = row_totals * column_totals / table.sum()
chi2 = ((table - expected) ** 2 / expected).sum()
