import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** What Playwright switches off in every browser; of two lists Chromium takes the last. */
const ofPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
];

/** Pages that Chromium starts beside each that is opened, in case somebody types into its address bar or follows a link. */
const besides = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** Nothing but the pages that are opened: no updates, no address but ours. */
export const chromiumFlags: readonly string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  `--disable-features=${[...ofPlaywright, ...besides].join()}`,
];

/** Where Chromium is on this machine. */
export function findChromium(): string {
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`There is no ${places.join(', ')}: apt-get install chromium`);
  return found;
}

export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...chromiumFlags, ...flags] });
}
