//go:build cgo

package memory

/*
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// Before it runs any code of the program, Go's runtime reserves 0.6 GiB of address space, and each
// of its threads takes more. If that fails, the runtime prints a trace without the cause. This C
// constructor runs earlier and reports the cause.
__attribute__((constructor)) static void checkAddressSpace(void) {
	const rlim_t least = (rlim_t)7 << 28; // 7·2²⁸ bytes = 1.75 GiB
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < least) {
		fprintf(stderr, "physlib: the address space is limited to %.2f GiB, too little to begin; "
			"raise the limit with ulimit -v 4000000, or ulimit -v unlimited\n",
			(double)limit.rlim_cur / (1 << 30));
		_exit(1);
	}
}
*/
import "C"
