# expect: 4 timeout
# why: count() never ends, so neither does the sum
import itertools
total = sum(n for n in itertools.count())
