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
# main.go. OSS-Fuzz cannot build targets in external test packages
# (https://github.com/google/oss-fuzz/issues/7923): they are listed and skipped. It also compiles
# all test files of the folder as one package, so those of external packages are hidden meanwhile.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${OUT:?the folder for the results}"
mkdir -p "$OUT"
[ $# -gt 0 ] || set -- $(git grep -l '^func Fuzz' -- '*_test.go' ':!fleet' ':!research' | xargs -n1 dirname | sort -u)

ossfuzz=
! command -v compile_native_go_fuzzer_v2 >/dev/null || ossfuzz=1

# compile builds a target with libFuzzer.
compile() {
	local file external failed=
	external=$(grep -l '^package .*_test$' "$1"/*_test.go || true)
	for file in $external; do mv "$file" "$file.hidden"; done
	compile_native_go_fuzzer_v2 "artifice/$1" "$2" "$3" || failed=1
	for file in $external; do mv "$file.hidden" "$file"; done
	[ ! "$failed" ]
}

for package in "$@"; do
	package=${package#./}
	name=${package//\//_}
	[ "$ossfuzz" ] || go test -c -fuzz . -o "$OUT/$name.test" "./$package"
	for file in $(grep -l '^func Fuzz' "$package"/*_test.go); do
		for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
			if [ "$ossfuzz" ]; then
				if grep -q '^package .*_test$' "$file"; then
					echo "${name}_$target: skipped, in an external test package" >&2
					continue
				fi
				compile "$package" "$target" "${name}_$target"
			fi
			if [ -d "$package/testdata/fuzz/$target" ]; then
				go run ./scripts/ossfuzz "$OUT/${name}_${target}_seed_corpus.zip" "$package/testdata/fuzz/$target"/*
			fi
			echo "${name}_$target"
		done
	done
done
