import type { Browser, BrowserContext } from 'playwright-core';

/** What no page may show, whatever a journey is about. */
const flaws: string[] = [];
export const takeFlaws = (): string[] => flaws.splice(0);

/** Written as text: this file is read where no browser's types are, too. */
const looks = `
  document.addEventListener('securitypolicyviolation', (event) => console.error('policy:', event.violatedDirective, event.sample));
  const told = new Set();
  const alike = (foot) => {
    const said = [...foot.querySelectorAll('button')].filter((one) => one.checkVisibility()).map((one) => one.innerText.trim());
    for (const one of said)
      if (one !== '' && said.indexOf(one) !== said.lastIndexOf(one) && !told.has(one)) {
        told.add(one);
        console.error('dialog: two buttons say “' + one + '”');
      }
  };
  new MutationObserver(() => document.querySelectorAll('.m-dialog-foot').forEach(alike))
    .observe(document, { subtree: true, childList: true, characterData: true });
`;

async function watch(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(`(() => {${looks}})()`);
  context.on('console', (line) => {
    if (line.type() === 'error' && /^(dialog|policy): /.test(line.text())) flaws.push(line.text());
  });
  return context;
}

/** Every page of this browser is looked at. */
export function watched(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => watch(await open(options));
  return browser;
}
