# expect: 5 blocked-effect
# why: the limits of another process are none of its business
import os
import resource
soft, hard = resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)
