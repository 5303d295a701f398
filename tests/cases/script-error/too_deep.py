# expect: 5 script-error
# why: no end to the recursion
# raises: RecursionError
def depth(n):
    return 1 + depth(n + 1)

levels = depth(0)
