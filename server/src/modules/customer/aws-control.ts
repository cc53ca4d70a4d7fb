import { askAws } from './aws-line.ts';
import { type Platform, reasonOf } from './line.ts';

/** What an attempt came to: done, or why not, and whether trying again by itself may help. */
export type Attempt<T> = { readonly done: T } | { readonly reason: string; readonly retries: boolean };

export interface Certificate {
  readonly arn: string;
  readonly id: string;
}
/** A certificate there with the policies that it may have. */
export type Held = Certificate & { readonly policies: readonly string[] };
/** A thing by its name; by the mark one that we made is known again. */
export interface Thing {
  readonly name: string;
  readonly mark: string;
}
/** What is there before anybody is let in by it. */
export type Made = Certificate & { readonly isThingOurs: boolean };

class Refusal extends Error {
  readonly reason: string;
  readonly retries: boolean;
  constructor(reason: string, retries: boolean) {
    super(reason);
    this.reason = reason;
    this.retries = retries;
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const baseOf = ({ controlEndpoint, region }: Platform) =>
  controlEndpoint === ''
    ? `https://iot.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
    : controlEndpoint.replace(/\/+$/, '');

const parsed = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return value !== null && typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
};

async function ask(platform: Platform, method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
  const asked = { service: 'iot', method, url: `${baseOf(platform)}${path}`, ...(headers ? { headers } : {}) } as const;
  const answer = await askAws(platform, body === undefined ? asked : { ...asked, body: JSON.stringify(body) }).catch((error: unknown) => {
    throw new Refusal(reasonOf(error), true);
  });
  const read = parsed(answer.text);
  const type = String(answer.headers['x-amzn-errortype'] ?? read.__type ?? '').replace(/^.*#|:.*$/g, '');
  return { status: answer.status, type, body: read };
}

const byType: Readonly<Record<string, readonly [reason: string, retries: boolean]>> = {
  ThrottlingException: ['IOT_THROTTLED', true],
  LimitExceededException: ['IOT_LIMIT', false],
  ServiceUnavailableException: ['IOT_BUSY', true],
  InternalFailureException: ['IOT_BUSY', true],
  UnauthorizedException: ['IOT_SIGN_IN', false],
  UnrecognizedClientException: ['IOT_SIGN_IN', false],
  InvalidSignatureException: ['IOT_SIGN_IN', false],
  ResourceNotFoundException: ['IOT_NOT_FOUND', false],
};

/** The answer where it is one; `alright` names exceptions that count as done. */
function must(answer: Answer, alright: readonly string[] = []): Answer {
  const { status, type } = answer;
  if ((status >= 200 && status < 300) || alright.includes(type)) return answer;
  const [reason, retries] =
    byType[type] ??
    (status === 401 || status === 403 ? ['IOT_SIGN_IN', false] : status === 429 ? ['IOT_THROTTLED', true] : ['IOT_STATUS', status >= 500]);
  throw new Refusal(reason, retries);
}

const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { done: await work() };
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.reason, retries: error.retries };
    throw error;
  }
};

const TAKEN = ['ResourceAlreadyExistsException'];
const GONE = ['ResourceNotFoundException'];
const segment = encodeURIComponent;

/** The terminal's own certificate, known at the other side and not yet let in; its private key never leaves the terminal. */
async function putCertificate(platform: Platform, pem: string): Promise<Certificate> {
  const { type, body } = must(
    await ask(platform, 'POST', '/certificate/register-no-ca', { certificatePem: pem, status: 'INACTIVE' }),
    TAKEN,
  );
  if (type === '') return { arn: String(body.certificateArn ?? ''), id: String(body.certificateId ?? '') };
  return { arn: String(body.resourceArn ?? ''), id: String(body.resourceId ?? '') };
}
const setStatus = (platform: Platform, id: string, status: 'ACTIVE' | 'INACTIVE') =>
  ask(platform, 'PUT', `/certificates/${segment(id)}?newStatus=${status}`);

/**
 * A thing with a certificate and its policy. Each step may have been done before: what is there already counts as done. What was made is noted before it
 * lets anybody in.
 */
export const putThing = (
  platform: Platform,
  { name, mark }: Thing,
  pem: string,
  note: (made: Made) => Promise<unknown>,
): Promise<Attempt<Certificate>> =>
  attempt(async () => {
    // The same thing with the same words is no fault: a thing of that name with others is somebody else's.
    const thing = must(
      await ask(platform, 'POST', `/things/${segment(name)}`, { attributePayload: { attributes: { mooring: mark } } }),
      TAKEN,
    );
    const certificate = await putCertificate(platform, pem);
    await note({ ...certificate, isThingOurs: thing.type === '' });
    const policy = must(await ask(platform, 'PUT', `/target-policies/${segment(platform.policy)}`, { target: certificate.arn }), GONE);
    if (policy.type !== '') throw new Refusal('IOT_NO_POLICY', false);
    must(await ask(platform, 'PUT', `/things/${segment(name)}/principals`, undefined, { 'x-amzn-principal': certificate.arn }));
    must(await setStatus(platform, certificate.id, 'ACTIVE'));
    return certificate;
  });

const detachPolicies = async (platform: Platform, { arn, policies }: Held): Promise<void> => {
  for (const policy of policies) must(await ask(platform, 'POST', `/target-policies/${segment(policy)}`, { target: arn }), GONE);
};
/** The certificate may no more what these policies let it. */
export const dropPolicies = (platform: Platform, held: Held): Promise<Attempt<null>> =>
  attempt(async () => {
    await detachPolicies(platform, held);
    return null;
  });

/** The certificate lets nobody in any more, and stands at no thing. What is gone already counts as done. */
export const dropCertificate = (platform: Platform, thing: string, held: Held): Promise<Attempt<null>> =>
  attempt(async () => {
    must(await setStatus(platform, held.id, 'INACTIVE'), GONE);
    must(await ask(platform, 'DELETE', `/things/${segment(thing)}/principals`, undefined, { 'x-amzn-principal': held.arn }), GONE);
    await detachPolicies(platform, held);
    return null;
  });

export const dropThing = (platform: Platform, thing: string): Promise<Attempt<null>> =>
  attempt(async () => {
    const answer = await ask(platform, 'DELETE', `/things/${segment(thing)}`);
    // A certificate is let go of a moment after it was said.
    if (answer.type === 'InvalidRequestException') throw new Refusal('IOT_STATUS', true);
    must(answer, GONE);
    return null;
  });
