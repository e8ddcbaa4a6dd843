import { createRequire } from "node:module";
import { argv } from "node:process";

const require = createRequire(argv[1]); // what eslint itself depends on
export default [
	require("@eslint/js").configs.recommended,
	{ languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: require("globals").browser } },
];
