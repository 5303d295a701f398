# expect: 5 script-error
# why: plain Python division by 0 in a function
# raises: ZeroDivisionError
def mean(values):
    return sum(values) / len(values)

averages = [mean([1.0, 2.0]), mean([])]
