/** The plugin as one minified script of CommonJS. */
export function bundleObsidian(): Promise<string>;
