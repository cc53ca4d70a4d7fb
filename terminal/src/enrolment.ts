import { createHash, createPrivateKey, sign } from 'node:crypto';
import { Access, Enrolled, Nonce } from '@mooring/contract/device/http-messages';
import type { DeviceKeys } from './device-keys.ts';
import type { ServerClock } from './server-clock.ts';

/** What the maker put into the terminal: a certificate that names its SN, with those up to the maker's authority, and its key. */
export interface FactoryIdentity {
  readonly chain: string;
  readonly privatePem: string;
}
export interface Enrolling {
  readonly server: string;
  readonly sn: string;
  readonly keys: DeviceKeys;
  readonly product: string;
  readonly model?: string;
  readonly code?: string;
  readonly factory?: FactoryIdentity;
}
export type EnrolAnswer =
  | { readonly state: 'enrolled'; readonly enrolled: Enrolled }
  | { readonly state: 'asking'; readonly seconds: number }
  | { readonly state: 'refused'; readonly error: string; readonly status: number; readonly time?: string | undefined };

async function post(server: string, path: string, body: unknown): Promise<{ status: number; seconds: number; body: unknown }> {
  const answer = await fetch(new URL(path, server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: answer.status, seconds: Number(answer.headers.get('retry-after') ?? 30), body: await answer.json().catch(() => ({})) };
}
const errorOf = (body: unknown) => String((body as { error?: string }).error ?? 'unknown');
const timeOf = (body: unknown) => (body as { time?: string }).time;

function readAnswer(answer: Awaited<ReturnType<typeof post>>): EnrolAnswer {
  if (answer.status === 202) return { state: 'asking', seconds: answer.seconds };
  if (answer.status !== 200) return { state: 'refused', error: errorOf(answer.body), status: answer.status, time: timeOf(answer.body) };
  return { state: 'enrolled', enrolled: Enrolled.parse(answer.body) };
}

/** Signs this very request, for a nonce of the server, with the factory key. */
async function factoryProof(server: string, sn: string, request: string, factory: FactoryIdentity) {
  const { nonce } = Nonce.parse((await post(server, '/d/nonce', { sn })).body);
  const key = createPrivateKey(factory.privatePem);
  const text = `mooring:factory:${sn}:${nonce}:${createHash('sha256').update(request).digest('hex')}`;
  const signature = sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(text), key);
  return { chain: factory.chain, nonce, signature: signature.toString('base64') };
}

/** That it is us who send this request, now. A server that knows no nonces lets us in without. */
async function keyProof(server: string, sn: string, request: string, keys: DeviceKeys) {
  const answer = await post(server, '/d/nonce', { sn });
  if (answer.status !== 200) return undefined;
  const { nonce } = Nonce.parse(answer.body);
  const digest = createHash('sha256').update(request).digest('hex');
  return { nonce, signature: keys.sign(`mooring:enrol:${sn}:${nonce}:${digest}`) };
}

/** SN and code, factory certificate or a person's word for a certificate. */
export async function enrol(asking: Enrolling): Promise<EnrolAnswer> {
  const { server, sn, keys, product, model, code, factory } = asking;
  const request = await keys.request(sn);
  const proof = await keyProof(server, sn, request, keys);
  return readAnswer(
    await post(server, '/d/enrol', {
      sn,
      product,
      request,
      ...(factory ? { factory: await factoryProof(server, sn, request, factory) } : {}),
      ...(model ? { model } : {}),
      ...(code ? { code } : {}),
      ...(proof ? { proof } : {}),
    }),
  );
}

const proofOf = (what: 'token' | 'renew', sn: string, keys: DeviceKeys, now: Date, request = '') => {
  const at = now.toISOString();
  const digest = request === '' ? '' : createHash('sha256').update(request).digest('hex');
  return { sn, at, signature: keys.sign(`mooring:${what}:${sn}:${at}:${digest}`) };
};

/** Signs with the time that the server gives where ours is too far off: a proof in its words is as good. */
async function inServerTime<A>(
  clock: ServerClock,
  ask: () => Promise<A>,
  refusal: (answer: A) => { error?: string; time?: string | undefined },
): Promise<A> {
  const answer = await ask();
  const { error, time } = refusal(answer);
  if (error !== 'CLOCK' || !time) return answer;
  clock.observe(time);
  return ask();
}

interface Asking {
  readonly server: string;
  readonly sn: string;
  readonly keys: DeviceKeys;
}

/** A new certificate in the place of one that nears its end, asked for with the key of that one. */
export async function renew(of: Asking, clock: ServerClock): Promise<EnrolAnswer> {
  const request = await of.keys.request(of.sn);
  return inServerTime(
    clock,
    async () => readAnswer(await post(of.server, '/d/renew', { ...proofOf('renew', of.sn, of.keys, clock.now(), request), request })),
    (answer) => (answer.state === 'refused' ? answer : {}),
  );
}

/** So long before its end a token is asked for anew. */
const TOKEN_SPARE_MS = 10 * 60_000;
/** How long until a new one is asked for; below 0 now. */
export const spareOf = (access: Access, clock: ServerClock): number =>
  Date.parse(access.tokenExpiresAt) - clock.now().getTime() - TOKEN_SPARE_MS;

export async function freshToken(of: Asking, clock: ServerClock): Promise<Access | { readonly error: string }> {
  const answer = await inServerTime(
    clock,
    () => post(of.server, '/d/token', proofOf('token', of.sn, of.keys, clock.now())),
    ({ status, body }) => (status === 200 ? {} : { error: errorOf(body), time: timeOf(body) }),
  );
  return answer.status === 200 ? Access.parse(answer.body) : { error: errorOf(answer.body) };
}
