/** The extension as one minified script of CommonJS. */
export function bundleVscode(): Promise<string>;
