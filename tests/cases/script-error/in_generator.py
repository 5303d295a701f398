# expect: 6 script-error
# why: the generator fails when the third line is asked for
# raises: ValueError
def numbers(lines):
    for line in lines:
        yield float(line)

total = sum(numbers(["1", "2.5", "n/a"]))
