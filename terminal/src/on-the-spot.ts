import type { Settings } from '@mooring/contract/device/messages';
import type { Journal } from './journal.ts';
import { keepSettings } from './settings.ts';

/** What somebody does at the terminal itself, past every release: it says so with its next hello, at once where it is in contact. */
export interface OnTheSpot {
  /** Flashes other firmware. */
  flash(version: string): void;
  /** Removes an app. */
  uninstall(packageName: string): void;
  /** Sets a section to other values; none put back what was there before. */
  set(section: string, values: Settings['values']): void;
}

export function onTheSpot(journal: Journal, tell: () => void): OnTheSpot {
  const changed = (change: () => void) => {
    change();
    journal.save();
    tell();
  };
  return {
    flash: (version) =>
      changed(() => {
        journal.firmware = version;
        journal.firmwareSha256 = undefined;
      }),
    uninstall: (packageName) => changed(() => journal.apps.set(packageName, null)),
    set: (section, values) =>
      changed(() => {
        // What is shown there gives way, as it does to a release.
        journal.contents.delete(section);
        keepSettings(journal, { section, values });
      }),
  };
}

const USAGE = 'flash SN VERSION · uninstall SN PACKAGE · set SN SECTION JSON · reset SN SECTION';

function valuesIn(text: string): NonNullable<Settings['values']> | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return values !== null && typeof values === 'object' && !Array.isArray(values)
      ? (values as NonNullable<Settings['values']>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A line that a person types beside a fleet: "uninstall V1-000001 com.bank.pay". Answers what to say to it. */
export function obeyLine(terminals: readonly { readonly sn: string; readonly spot: OnTheSpot }[], line: string): string {
  const [act = '', sn = '', what = '', ...rest] = line.trim().split(/\s+/);
  const terminal = terminals.find((one) => one.sn === sn);
  if (act === '') return USAGE;
  if (!terminal) return `No terminal ${JSON.stringify(sn)} here. ${USAGE}`;
  const { spot } = terminal;
  if (what === '') return USAGE;
  if (act === 'flash') spot.flash(what);
  else if (act === 'uninstall') spot.uninstall(what);
  else if (act === 'reset') spot.set(what, null);
  else if (act === 'set') {
    const values = valuesIn(rest.join(' '));
    if (!values) return `Not a JSON object: ${rest.join(' ')}`;
    spot.set(what, values);
  } else return USAGE;
  return `${sn}: ${act} ${what}`;
}
