package motion

import "runtime"

var workers = runtime.GOMAXPROCS(0)
