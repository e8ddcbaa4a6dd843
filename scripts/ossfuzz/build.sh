#!/bin/bash
# Builds the fuzz targets of the product for OSS-Fuzz, with their seed corpora, into $OUT:
#
#	OUT=/tmp/out bash scripts/ossfuzz/build.sh [PACKAGE...]
#
# OSS-Fuzz runs it in its image base-builder-go, which provides compile_native_go_fuzzer_v2 and links
# targets with libFuzzer. Elsewhere each package's targets are built by go test, with Go's own
# engine: run them as $OUT/PACKAGE.test -test.run '^$' -test.fuzz '^TARGET$' -test.fuzzcachedir DIR.
#
# OSS-Fuzz ignores seeds of f.Add. A seed corpus is the folder testdata/fuzz/TARGET, encoded by
# main.go.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${OUT:?the folder for the results}"
mkdir -p "$OUT"
[ $# -gt 0 ] || set -- $(git grep -l '^func Fuzz' -- '*_test.go' ':!fleet' ':!research' | xargs -n1 dirname | sort -u)

ossfuzz=
! command -v compile_native_go_fuzzer_v2 >/dev/null || ossfuzz=1

# compile PACKAGE TARGET NAME FILE builds the target in FILE with libFuzzer.
#
# The builder compiles all test files of a folder as one package, and fails if some are of an external
# test package (https://github.com/google/oss-fuzz/issues/7923). Therefore, an external test package is
# copied to a package of its own, and is hidden while other targets of its folder are built. The builder
# writes its main package to the current folder, which must be one that may import PACKAGE.
compile() {
	local file external copy=$1/libfuzzer failed=
	external=$(grep -l '^package .*_test$' "$1"/*_test.go || true)
	if grep -q '^package .*_test$' "$4"; then
		mkdir "$copy"
		for file in $external; do sed 's/^package .*_test$/package libfuzzer/' "$file" >"$copy/${file##*/}"; done
		[ ! -d "$1/testdata" ] || ln -s ../testdata "$copy/testdata"
		(cd "$1" && compile_native_go_fuzzer_v2 "artifice/$copy" "$2" "$3") || failed=1
		rm -r "$copy"
	else
		for file in $external; do mv "$file" "$file.hidden"; done
		(cd "$1" && compile_native_go_fuzzer_v2 "artifice/$1" "$2" "$3") || failed=1
		for file in $external; do mv "$file.hidden" "$file"; done
	fi
	[ ! "$failed" ] && [ -f "$OUT/$3" ] # the builder succeeds if it does not find the target
}

[ ! "$ossfuzz" ] || go get github.com/AdamKorcz/go-118-fuzz-build/testing@fc5dc53b9db8

for package in "$@"; do
	package=${package#./}
	name=${package//\//_}
	[ "$ossfuzz" ] || go test -c -fuzz . -o "$OUT/$name.test" "./$package"
	for file in $(grep -l '^func Fuzz' "$package"/*_test.go); do
		for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
			if [ "$ossfuzz" ]; then
				compile "$package" "$target" "${name}_$target" "$file"
			fi
			if [ -d "$package/testdata/fuzz/$target" ]; then
				go run ./scripts/ossfuzz "$OUT/${name}_${target}_seed_corpus.zip" "$package/testdata/fuzz/$target"/*
			fi
			echo "${name}_$target"
		done
	done
done
