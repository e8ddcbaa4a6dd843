#!/bin/bash
# Builds the fuzz targets of the product for OSS-Fuzz, with their seed corpora, into $OUT:
#
#	OUT=/tmp/out bash scripts/ossfuzz/build.sh [PACKAGE...]
#
# OSS-Fuzz runs it in its image base-builder-go, which provides compile_native_go_fuzzer and links
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

for package in "$@"; do
	package=${package#./}
	name=${package//\//_}
	if ! command -v compile_native_go_fuzzer >/dev/null; then
		go test -c -fuzz . -o "$OUT/$name.test" "./$package"
	fi
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$package"/*_test.go); do
		if command -v compile_native_go_fuzzer >/dev/null; then
			compile_native_go_fuzzer "artifice/$package" "$target" "${name}_$target"
		fi
		if [ -d "$package/testdata/fuzz/$target" ]; then
			go run ./scripts/ossfuzz "$OUT/${name}_${target}_seed_corpus.zip" "$package/testdata/fuzz/$target"/*
		fi
		echo "${name}_$target"
	done
done
