import { launchBrowser } from '../../e2e/browser.ts';
import { visit } from '../../e2e/visit.ts';

/** Somebody who left the list of devices open and never touches it: whatever befalls the server, the page has to come right by itself. */
export interface Onlooker {
  /** Whether the page says within this time that its line is lost. */
  saysLost(patienceMs: number): Promise<boolean>;
  /** What the page shows otherwise than it is, in words. */
  wrong(version: string): Promise<string[]>;
  stop(): Promise<void>;
}

export async function openOnlooker(url: string, account: string, password: string): Promise<Onlooker> {
  const browser = await launchBrowser();
  const { page } = await visit(browser, { url, account, password, platform: 'centre' });
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(`${url}/device/device`);
  // The head names no version.
  const rows = page.getByRole('row', { name: /\d+\.\d+\.\d+/ });
  await rows.first().waitFor();
  const lost = page.getByRole('status').getByLabel('Live updates interrupted. Reconnecting.');
  return {
    saysLost: (patienceMs) =>
      lost.waitFor({ timeout: patienceMs }).then(
        () => true,
        () => false,
      ),
    async wrong(version) {
      const texts = await rows.allInnerTexts();
      const old = texts.filter((text) => !text.includes(version));
      return [
        ...thrown,
        ...(texts.length === 0 ? ['no row is shown'] : []),
        ...(old.length > 0 ? [`${old.length} of ${texts.length} rows are not at ${version}: ${old[0]?.replace(/\s+/g, ' ')}`] : []),
        ...((await lost.isVisible()) ? ['it is not live'] : []),
      ];
    },
    stop: () => browser.close(),
  };
}
