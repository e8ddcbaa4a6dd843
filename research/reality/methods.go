package main

// Each method is a function of its own, since stacks distinguish only functions. None is inlined,
// so that each has its frame.

const methodCount = 40

// idleMethod is the number of task.idle, which is not in this list.
const idleMethod = methodCount

var call [methodCount]func(*task, int)

func init() { // not in the declaration, as methods call each other through it
	call = [methodCount]func(*task, int){
		m00, m01, m02, m03, m04, m05, m06, m07, m08, m09,
		m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
		m20, m21, m22, m23, m24, m25, m26, m27, m28, m29,
		m30, m31, m32, m33, m34, m35, m36, m37, m38, m39,
	}
}

//go:noinline
func m00(t *task, depth int) { t.body(0, depth) }

//go:noinline
func m01(t *task, depth int) { t.body(1, depth) }

//go:noinline
func m02(t *task, depth int) { t.body(2, depth) }

//go:noinline
func m03(t *task, depth int) { t.body(3, depth) }

//go:noinline
func m04(t *task, depth int) { t.body(4, depth) }

//go:noinline
func m05(t *task, depth int) { t.body(5, depth) }

//go:noinline
func m06(t *task, depth int) { t.body(6, depth) }

//go:noinline
func m07(t *task, depth int) { t.body(7, depth) }

//go:noinline
func m08(t *task, depth int) { t.body(8, depth) }

//go:noinline
func m09(t *task, depth int) { t.body(9, depth) }

//go:noinline
func m10(t *task, depth int) { t.body(10, depth) }

//go:noinline
func m11(t *task, depth int) { t.body(11, depth) }

//go:noinline
func m12(t *task, depth int) { t.body(12, depth) }

//go:noinline
func m13(t *task, depth int) { t.body(13, depth) }

//go:noinline
func m14(t *task, depth int) { t.body(14, depth) }

//go:noinline
func m15(t *task, depth int) { t.body(15, depth) }

//go:noinline
func m16(t *task, depth int) { t.body(16, depth) }

//go:noinline
func m17(t *task, depth int) { t.body(17, depth) }

//go:noinline
func m18(t *task, depth int) { t.body(18, depth) }

//go:noinline
func m19(t *task, depth int) { t.body(19, depth) }

//go:noinline
func m20(t *task, depth int) { t.body(20, depth) }

//go:noinline
func m21(t *task, depth int) { t.body(21, depth) }

//go:noinline
func m22(t *task, depth int) { t.body(22, depth) }

//go:noinline
func m23(t *task, depth int) { t.body(23, depth) }

//go:noinline
func m24(t *task, depth int) { t.body(24, depth) }

//go:noinline
func m25(t *task, depth int) { t.body(25, depth) }

//go:noinline
func m26(t *task, depth int) { t.body(26, depth) }

//go:noinline
func m27(t *task, depth int) { t.body(27, depth) }

//go:noinline
func m28(t *task, depth int) { t.body(28, depth) }

//go:noinline
func m29(t *task, depth int) { t.body(29, depth) }

//go:noinline
func m30(t *task, depth int) { t.body(30, depth) }

//go:noinline
func m31(t *task, depth int) { t.body(31, depth) }

//go:noinline
func m32(t *task, depth int) { t.body(32, depth) }

//go:noinline
func m33(t *task, depth int) { t.body(33, depth) }

//go:noinline
func m34(t *task, depth int) { t.body(34, depth) }

//go:noinline
func m35(t *task, depth int) { t.body(35, depth) }

//go:noinline
func m36(t *task, depth int) { t.body(36, depth) }

//go:noinline
func m37(t *task, depth int) { t.body(37, depth) }

//go:noinline
func m38(t *task, depth int) { t.body(38, depth) }

//go:noinline
func m39(t *task, depth int) { t.body(39, depth) }
