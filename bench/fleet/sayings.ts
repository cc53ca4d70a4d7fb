import { capabilities } from '@mooring/contract/device/capabilities';
import { upTopic } from '@mooring/contract/device/topics';
import type { Offer } from '@mooring/terminal/offer';
import { publishFrame } from './frames.ts';
import { type Has, keep, told } from './what-it-has.ts';

let counter = 0;
const messageId = () => {
  counter = (counter % 65_535) + 1;
  return counter;
};
const envelope = (id: string, data: string) => `{"v":1,"id":"${id}","at":"${new Date().toISOString()}","data":${data}}`;

/** What a terminal of the reference agent sends, byte for byte but for its values. `uptime` carries the moment at which it was said. */
export const beatText = (moment: number): string =>
  envelope(
    `b${moment}-${messageId()}`,
    `{"battery":${20 + (moment % 80)},"charging":false,"network":{"kind":"wifi","signal":-${40 + (moment % 40)}},"storage":{"total":8589934592,"free":${4_000_000_000 + moment}},"position":{"lat":52.5${moment % 100},"lon":13.4${moment % 100},"accuracy":25,"source":"gps"},"temperature":${28 + (moment % 12)},"uptime":${moment},"counters":{"transactions":${moment % 10_000},"prints":${moment % 9000},"reboots":1}}`,
  );
export const beat = (sn: string, moment: number): Buffer => publishFrame(upTopic(sn, 'beat'), beatText(moment), 0, 0);

export interface Saying {
  readonly id: string;
  readonly kind: 'hello' | 'reply' | 'progress' | 'result';
  readonly text: string;
}
/** Differences are another row's: it takes everything whole. */
export const CAN = capabilities.filter((one) => !one.toLowerCase().includes('diff'));
export function hello(has: Has): Saying {
  const id = `h-${process.pid}-${Date.now()}-${messageId()}`;
  const is = { product: 'BENCH-1', model: 'P2', agent: 'mooring-agent/0.1', capabilities: CAN, timeZone: 'UTC', configRevision: 0 };
  return { id, kind: 'hello', text: envelope(id, JSON.stringify({ ...is, ...told(has) })) };
}
export const reply = (to: string): Saying => ({
  id: `r-${to}`.slice(0, 64),
  kind: 'reply',
  text: envelope(`r-${to}`.slice(0, 64), `{"to":"${to}","outcome":"done"}`),
});
/** Downloading and installing are the terminal's own time, so here they take none. */
export function offerTaken(has: Has, offer: Offer): Saying[] {
  const { offer: id, package: what } = offer;
  const result = { offer: id, outcome: 'success', version: keep(has, offer), sha256: what?.sha256 };
  return [
    { id: '', kind: 'progress', text: envelope(`p-${id}`, `{"offer":"${id}","phase":"received","percent":0}`) },
    { id: `o-${id}`, kind: 'result', text: envelope(`o-${id}`, JSON.stringify(result)) },
    hello(has),
  ];
}
export const frameOf = (sn: string, saying: Saying): Buffer => publishFrame(upTopic(sn, saying.kind), saying.text, 1, messageId());
