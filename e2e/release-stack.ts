import { randomBytes } from 'node:crypto';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { type Fleet, type FleetOptions, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { ADMIN, type Api, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate, uploadFirmware } from './estate.ts';
import { addPublished } from './published.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

/** Terminals that lose no time: theirs isn’t what is looked at. */
export const quick = { installSeconds: 0.1, bootSeconds: 0.1, speed: 64 * 1024 * 1024 } as const;

/** Terminals on 1.0.0, packages for them, and the administrator at the console. */
export interface ReleaseStack {
  readonly stack: Stack;
  readonly admin: Api;
  readonly browser: Browser;
  readonly page: Page;
  readonly fleet: Fleet;
  readonly productId: number;
  /** Lets one terminal more in than there are. */
  readonly code: string;
  /** Of the last version. */
  readonly packageId: number;
  stop(): Promise<void>;
}

export async function startReleaseStack(
  terminals: number,
  { versions = ['2.0.0'], ...fleetOptions }: { readonly versions?: readonly string[] } & Partial<FleetOptions>,
): Promise<ReleaseStack> {
  const stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { productId, code } = await makeEstate(stack.url, admin, ADMIN, terminals + 1);
  let packageId = 0;
  for (const version of versions) {
    const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(4000));
    packageId = await addPublished(admin, packageCalls, { productId, version, fileId });
  }
  const fleet = startFleet({ server: stack.url, count: terminals, code, product: 'A920', firmware: '1.0.0', ...quick, ...fleetOptions });
  await fleet.whenOnline(terminals, 240);
  const browser = await launchBrowser();
  const { page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' });
  return {
    stack,
    admin,
    browser,
    page,
    fleet,
    productId,
    code,
    packageId,
    async stop() {
      await fleet.stop();
      await browser.close();
      await stack.stop();
    },
  };
}
