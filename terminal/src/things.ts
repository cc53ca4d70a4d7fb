import { thingCommandParams } from '@mooring/contract/device/commands';
import type { Up } from '@mooring/contract/device/messages';
import type { Done } from './body.ts';
import type { Journal } from './journal.ts';

type Values = Up['property']['values'];

/** What can be read, set and asked of a device by the thing model of its product. */
export interface Things {
  /** All that it says of itself now. */
  values(): Values;
  /** Sets all of these or none. */
  set(values: Values): Promise<Done>;
  call(service: string, input: Values): Promise<Done>;
}

type Tell = (values: Values) => void;
const refused = (reason: string, message?: string): Done => ({ ok: false, reason, ...(message ? { message } : {}) });

/** Of two that set the same property the later one counts, whichever comes first. */
async function set(things: Things, journal: Journal, values: Values, seq: number, tell: Tell): Promise<Done> {
  const fresh = Object.fromEntries(Object.entries(values).filter(([id]) => seq > (journal.propertySeqs.get(id) ?? 0)));
  const tellNow = (ids: readonly string[]) => {
    const now = things.values();
    tell(Object.fromEntries(ids.flatMap((id) => (id in now ? [[id, now[id] ?? null]] : []))));
  };
  if (Object.keys(fresh).length === 0) {
    tellNow(Object.keys(values));
    return refused('overtaken');
  }
  const done = await things.set(fresh);
  if (!done.ok) return done;
  for (const id of Object.keys(fresh)) journal.propertySeqs.set(id, seq);
  journal.save();
  tellNow(Object.keys(values));
  return done;
}

function get(things: Things, names: readonly string[], tell: Tell): Done {
  const now = things.values();
  const unknown = names.find((id) => !Object.hasOwn(now, id));
  if (unknown !== undefined) return refused('unknownProperty', unknown);
  tell(names.length === 0 ? now : Object.fromEntries(names.map((id) => [id, now[id] ?? null])));
  return { ok: true };
}

/** Carries out a command of the thing model: what is new is told before the answer. Undefined where it is none. */
export async function obeyThing(
  things: Things | undefined,
  journal: Journal,
  order: { readonly command: string; readonly params: unknown; readonly seq: number },
  tell: Tell,
): Promise<Done | undefined> {
  if (!Object.hasOwn(thingCommandParams, order.command)) return undefined;
  if (!things) return refused('notSupported');
  const { propertySet, propertyGet, serviceCall } = thingCommandParams;
  if (order.command === 'propertyGet') {
    const asked = propertyGet.safeParse(order.params);
    return asked.success ? get(things, asked.data.names, tell) : refused('valueWrong');
  }
  if (order.command === 'propertySet') {
    const asked = propertySet.safeParse(order.params);
    return asked.success ? set(things, journal, asked.data.values, order.seq, tell) : refused('valueWrong');
  }
  const asked = serviceCall.safeParse(order.params);
  return asked.success ? things.call(asked.data.service, asked.data.input) : refused('valueWrong');
}
