#!/bin/bash
# Builds the fuzz targets of the product for OSS-Fuzz, with their seed corpora, into $OUT:
#
#	OUT=/tmp/out bash research/ossfuzz/build.sh [PACKAGE...]
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

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
go build -C research -o "$tools/ossfuzz" ./ossfuzz

ossfuzz=
! command -v compile_native_go_fuzzer_v2 >/dev/null || ossfuzz=1

# prepare makes a package for OSS-Fuzz's builder, which compiles all test files of a folder as one
# package and fails if some are of an external test package
# (https://github.com/google/oss-fuzz/issues/7923): those move to a package libfuzzer in a subfolder.
# The builder's own package testing has no B.Loop.
prepare() {
	local file external
	external=$(grep -l '^package .*_test$' "$1"/*_test.go || true)
	if [ "$external" ]; then
		mkdir "$1/libfuzzer"
		for file in $external; do
			sed 's/^package .*_test$/package libfuzzer/' "$file" >"$1/libfuzzer/${file##*/}"
			rm "$file"
		done
		[ ! -d "$1/testdata" ] || ln -s ../testdata "$1/libfuzzer/testdata"
	fi
	find "$1" -maxdepth 2 -name '*_test.go' -exec sed -i 's/for b\.Loop() {/for range b.N {/' {} +
}

if [ "$ossfuzz" ]; then
	mkdir "$tools/copy"
	cp -r . "$tools/copy"
	cd "$tools/copy"
	go get github.com/AdamKorcz/go-118-fuzz-build/testing@fc5dc53b9db8
	for package in "$@"; do prepare "$package"; done
fi

# compile PACKAGE TARGET NAME builds a target with libFuzzer. The builder writes a main package to the
# current folder, which must be one that may import PACKAGE. It succeeds if it does not find TARGET.
compile() {
	(cd "$1" && compile_native_go_fuzzer_v2 "artifice/$1" "$2" "$3")
	[ -f "$OUT/$3" ] || { echo "$3 was not built" >&2; return 1; }
}

for package in "$@"; do
	package=${package#./}
	name=${package//\//_}
	[ "$ossfuzz" ] || go test -c -fuzz . -o "$OUT/$name.test" "./$package"
	for file in $(grep -ls '^func Fuzz' "$package"/*_test.go "$package"/libfuzzer/*_test.go); do
		for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
			[ ! "$ossfuzz" ] || compile "$(dirname "$file")" "$target" "${name}_$target"
			if [ -d "$package/testdata/fuzz/$target" ]; then
				"$tools/ossfuzz" "$OUT/${name}_${target}_seed_corpus.zip" "$package/testdata/fuzz/$target"/*
			fi
			echo "${name}_$target"
		done
	done
done
