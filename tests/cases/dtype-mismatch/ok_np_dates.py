# expect: nothing
# why: days and a whole number of them; hours and a span of time
import numpy as np

days = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
print(days + 1, days + np.timedelta64(12, "h"), days[1] - days[0])
