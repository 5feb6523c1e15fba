//go:build amd64 && goexperiment.simd

#include "go_asm.h"
#include "textflag.h"

// The rows of a tile are stride = 4p bytes apart: row n is at SI+n·DX, which the addressing modes reach
// from SI (0, 1, 2, 4), R9 = SI+2·DX (6) and R8 = SI+3·DX (3, 5, 7).

#define ROW512(addr, c0, c1) \
	VBROADCASTSS addr, Z18         \
	VFMADD231PS  Z18, Z16, c0      \
	VFMADD231PS  Z18, Z17, c1

#define POINT512(k) \
	VMOVUPS (128*k)(BX), Z16         \
	VMOVUPS (128*k+64)(BX), Z17      \
	ROW512((4*k)(SI), Z0, Z1)        \
	ROW512((4*k)(SI)(DX*1), Z2, Z3)  \
	ROW512((4*k)(SI)(DX*2), Z4, Z5)  \
	ROW512((4*k)(R8), Z6, Z7)        \
	ROW512((4*k)(SI)(DX*4), Z8, Z9)  \
	ROW512((4*k)(R8)(DX*2), Z10, Z11) \
	ROW512((4*k)(R9)(DX*4), Z12, Z13) \
	ROW512((4*k)(R8)(DX*4), Z14, Z15)

// PRODUCT512 sets Z0 to Z15 to the products of the 8 rows and 32 columns of the tile AX, and DI to the
// place for them. The number of points is a multiple of 4.
#define PRODUCT512(loop, done) \
	LEAQ tile_c(AX), DI      \
	MOVQ tile_rows(AX), SI   \
	MOVQ tile_panel(AX), BX  \
	MOVQ tile_p(AX), CX      \
	LEAQ (CX*4), DX      \
	LEAQ (SI)(DX*2), R9  \
	LEAQ (R9)(DX*1), R8  \
	VPXORQ Z0, Z0, Z0    \
	VMOVAPS Z0, Z1       \
	VMOVAPS Z0, Z2       \
	VMOVAPS Z0, Z3       \
	VMOVAPS Z0, Z4       \
	VMOVAPS Z0, Z5       \
	VMOVAPS Z0, Z6       \
	VMOVAPS Z0, Z7       \
	VMOVAPS Z0, Z8       \
	VMOVAPS Z0, Z9       \
	VMOVAPS Z0, Z10      \
	VMOVAPS Z0, Z11      \
	VMOVAPS Z0, Z12      \
	VMOVAPS Z0, Z13      \
	VMOVAPS Z0, Z14      \
	VMOVAPS Z0, Z15      \
loop:                        \
	SUBQ $4, CX          \
	JLT  done            \
	POINT512(0)          \
	POINT512(1)          \
	POINT512(2)          \
	POINT512(3)          \
	ADDQ $16, SI         \
	ADDQ $16, R8         \
	ADDQ $16, R9         \
	ADDQ $512, BX        \
	JMP  loop            \
done:

#define STORE512 \
	VMOVUPS Z0, 0(DI) \
	VMOVUPS Z1, 64(DI) \
	VMOVUPS Z2, 128(DI) \
	VMOVUPS Z3, 192(DI) \
	VMOVUPS Z4, 256(DI) \
	VMOVUPS Z5, 320(DI) \
	VMOVUPS Z6, 384(DI) \
	VMOVUPS Z7, 448(DI) \
	VMOVUPS Z8, 512(DI) \
	VMOVUPS Z9, 576(DI) \
	VMOVUPS Z10, 640(DI) \
	VMOVUPS Z11, 704(DI) \
	VMOVUPS Z12, 768(DI) \
	VMOVUPS Z13, 832(DI) \
	VMOVUPS Z14, 896(DI) \
	VMOVUPS Z15, 960(DI)

// func dot8x32(t *tile)
TEXT ·dot8x32(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), AX
	PRODUCT512(loop, done)
	STORE512
	VZEROUPPER
	RET

// GAIN512 raises Z28, in each of its 16 lanes, to the gain of row k and the columns of one register:
// (thr*c + rowLin*colLin)*c + (rowSq + (colSq - thr)). A gain that is not a number leaves it as it is.
#define GAIN512(k, c, colLin, colSq) \
	VMULPS.BCST  (4*k)(R10), colLin, Z26 \
	VADDPS.BCST  (4*k)(R11), colSq, Z27  \
	VFMADD231PS  Z20, c, Z26             \
	VFMADD231PS  Z26, c, Z27             \
	VMAXPS       Z28, Z27, Z28

// func candidate8x32(t *tile) bool
TEXT ·candidate8x32(SB), NOSPLIT, $0-9
	MOVQ t+0(FP), AX
	PRODUCT512(loop, done)
	MOVQ tile_rowLin(AX), R10
	MOVQ tile_rowSq(AX), R11
	MOVQ tile_colLin(AX), R12
	MOVQ tile_colSq(AX), R13
	VBROADCASTSS tile_thr(AX), Z20
	VMOVUPS 0(R12), Z21
	VMOVUPS 64(R12), Z22
	VMOVUPS 0(R13), Z23
	VMOVUPS 64(R13), Z24
	VSUBPS Z20, Z23, Z23
	VSUBPS Z20, Z24, Z24
	VPXORQ Z25, Z25, Z25
	MOVL $0xbf800000, CX // -1: no candidate yet
	VPBROADCASTD CX, Z28
	GAIN512(0, Z0, Z21, Z23)
	GAIN512(0, Z1, Z22, Z24)
	GAIN512(1, Z2, Z21, Z23)
	GAIN512(1, Z3, Z22, Z24)
	GAIN512(2, Z4, Z21, Z23)
	GAIN512(2, Z5, Z22, Z24)
	GAIN512(3, Z6, Z21, Z23)
	GAIN512(3, Z7, Z22, Z24)
	GAIN512(4, Z8, Z21, Z23)
	GAIN512(4, Z9, Z22, Z24)
	GAIN512(5, Z10, Z21, Z23)
	GAIN512(5, Z11, Z22, Z24)
	GAIN512(6, Z12, Z21, Z23)
	GAIN512(6, Z13, Z22, Z24)
	GAIN512(7, Z14, Z21, Z23)
	GAIN512(7, Z15, Z22, Z24)
	VCMPPS $29, Z25, Z28, K1 // greater or equal, false for what is not a number
	KORTESTW K1, K1
	JEQ  none
	STORE512
	VZEROUPPER
	MOVB $1, ret+8(FP)
	RET

none:
	VZEROUPPER
	MOVB $0, ret+8(FP)
	RET

#define ROW256(addr, c0, c1) \
	VBROADCASTSS addr, Y10     \
	VFMADD231PS  Y10, Y8, c0   \
	VFMADD231PS  Y10, Y9, c1

#define POINT256(k) \
	VMOVUPS (128*k)(BX), Y8          \
	VMOVUPS (128*k+32)(BX), Y9       \
	ROW256((4*k)(SI), Y0, Y1)        \
	ROW256((4*k)(SI)(DX*1), Y2, Y3)  \
	ROW256((4*k)(SI)(DX*2), Y4, Y5)  \
	ROW256((4*k)(R8), Y6, Y7)

// func dot4x16(c, rows, panel *float32, p int)
TEXT ·dot4x16(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ panel+16(FP), BX
	MOVQ p+24(FP), CX
	LEAQ (CX*4), DX
	LEAQ (SI)(DX*2), R8
	ADDQ DX, R8
	VXORPS Y0, Y0, Y0
	VMOVAPS Y0, Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y0, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y0, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y0, Y7

loop:
	SUBQ $4, CX
	JLT  done
	POINT256(0)
	POINT256(1)
	POINT256(2)
	POINT256(3)
	ADDQ $16, SI
	ADDQ $16, R8
	ADDQ $512, BX
	JMP  loop

done:
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 128(DI)
	VMOVUPS Y3, 160(DI)
	VMOVUPS Y4, 256(DI)
	VMOVUPS Y5, 288(DI)
	VMOVUPS Y6, 384(DI)
	VMOVUPS Y7, 416(DI)
	VZEROUPPER
	RET
