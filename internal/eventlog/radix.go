package eventlog

// digitBits is how many bits of a number are looked at at once where there are many.
const digitBits = 12

// SortKeys sorts numbers by their bits from the first to that in front of last, and returns
// them, in the memory of keys or in that of spare, which is as long. Numbers that are equal
// there keep their order. It is Knuth's sorting by distribution, the lowest digit first.
func SortKeys(keys, spare []uint64, first, last uint) []uint64 {
	most := uint(digitBits)
	if len(keys) < 1<<10 {
		most = 8
	}
	passes := (last - first + most - 1) / most
	for ; passes > 0; passes-- {
		digit := (last - first + passes - 1) / passes
		sortByDigit(spare, keys, first, digit)
		keys, spare = spare, keys
		first += digit
	}
	return keys
}

// sortByDigit puts keys into sorted in the order of so many of their bits from the first on.
func sortByDigit(sorted, keys []uint64, first, digit uint) {
	var places [1 << digitBits]uint32 // by digit: how many keys have it, then where the next one goes
	mask := uint64(1)<<digit - 1
	for _, key := range keys {
		places[key>>first&mask&(1<<digitBits-1)]++ // the constant tells that the index is within bounds
	}
	sum := uint32(0)
	for i := range places[:1<<digit] {
		places[i], sum = sum, sum+places[i]
	}
	for _, key := range keys {
		place := &places[key>>first&mask&(1<<digitBits-1)]
		sorted[*place] = key
		*place++
	}
}
