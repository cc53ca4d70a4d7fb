import { createHash, createHmac } from 'node:crypto';
import { type HttpsReceiver, httpsReceiver } from './receivers.factory.ts';

export const AWS_KEY = 'AKIDEXAMPLE';
export const AWS_SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
export const AWS_REGION = 'eu-central-1';
export const AWS_POLICY = 'terminals';
export const AWS_OTHER_POLICY = 'terminals-2';
const known: readonly string[] = [AWS_POLICY, AWS_OTHER_POLICY];

type Asked = Parameters<HttpsReceiver['answer']>[0];
type Said = { status: number; headers?: Record<string, string>; body?: string };

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const percent = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature of a request as AWS documents it (Signature Version 4), computed without the library that signs. */
export function signatureOf(
  { method, url, headers, body }: Asked,
  secret: string,
): { service: string; region: string; key: string; fits: boolean } {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      String(headers.authorization ?? ''),
    );
  if (!found) return { service: '', region: '', key: '', fits: false };
  const [, key = '', day = '', region = '', service = '', names = '', signature = ''] = found;
  const [path = '', query = ''] = url.split('?');
  const sorted = [...new URLSearchParams(query)]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .toSorted()
    .join('&');
  const signed = names.split(';').map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replaceAll(/ +/g, ' ')}\n`,
  );
  // Each segment of the path is encoded once more than it stands in the request, as for every service but S3.
  const twice = path.split('/').map(percent).join('/');
  const canonical = [method, twice, sorted, signed.join(''), names, sha(body)].join('\n');
  const at = String(headers['x-amz-date']);
  const toSign = ['AWS4-HMAC-SHA256', at, `${day}/${region}/${service}/aws4_request`, sha(canonical)].join('\n');
  const derived = [region, service, 'aws4_request'].reduce<Buffer>((last, part) => hmac(last, part), hmac(`AWS4${secret}`, day));
  const fits = hmac(derived, toSign).toString('hex') === signature && at.startsWith(day) && names.split(';').includes('host');
  return { service, region, key, fits };
}

interface Certificate {
  readonly pem: string;
  status: string;
  readonly things: Set<string>;
  readonly policies: Set<string>;
}
export interface Aws {
  readonly receiver: HttpsReceiver;
  readonly things: Set<string>;
  readonly certificates: Map<string, Certificate>;
  /** What was signed wrong. */
  readonly wrong: string[];
  readonly asked: string[];
  /** An answer instead of what it would say. */
  trouble: ((request: Asked) => Said | undefined | Promise<Said | undefined>) | undefined;
  /** Things by the mark of who made them. */
  readonly marks: Map<string, string>;
  /** Whether a certificate is let go of a moment after it was said. */
  isLate: boolean;
}

const json = (status: number, value: object): Said => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});
const refusal = (status: number, type: string, more: object = {}): Said => ({
  ...json(status, { message: type, ...more }),
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazonaws.iot/` },
});
const arnOf = (id: string) => `arn:aws:iot:${AWS_REGION}:123456789012:cert/${id}`;

/** The few calls of AWS IoT Core, as its API reference describes them, with signatures that are checked. */
export async function awsServer(): Promise<Aws> {
  const receiver = await httpsReceiver();
  const aws: Aws = {
    receiver,
    things: new Set(),
    certificates: new Map(),
    wrong: [],
    asked: [],
    trouble: undefined,
    marks: new Map(),
    isLate: false,
  };
  const leaving = new Set<string>();
  const registerCertificate = ({ body }: Asked): Said => {
    const { certificatePem, status } = JSON.parse(body) as { certificatePem: string; status: string };
    const id = sha(certificatePem);
    if (aws.certificates.has(id)) return refusal(409, 'ResourceAlreadyExistsException', { resourceId: id, resourceArn: arnOf(id) });
    aws.certificates.set(id, { pem: certificatePem, status, things: new Set(), policies: new Set() });
    return json(200, { certificateArn: arnOf(id), certificateId: id });
  };
  const byArn = (arn: string) => aws.certificates.get(arn.split('/').at(-1) ?? '');
  const thingCall = ({ method, body }: Asked, name: string): Said => {
    if (method === 'DELETE') {
      if (leaving.delete(name) || [...aws.certificates.values()].some((one) => one.things.has(name)))
        return refusal(409, 'InvalidRequestException');
      aws.things.delete(name);
      return json(200, {});
    }
    // The same thing with the same words is no fault.
    const mark = JSON.stringify(JSON.parse(body));
    if (aws.things.has(name) && aws.marks.get(name) !== mark) return refusal(409, 'ResourceAlreadyExistsException');
    aws.marks.set(name, mark);
    aws.things.add(name);
    return json(200, { thingName: name });
  };
  const principalCall = ({ method, headers }: Asked, name: string): Said => {
    const certificate = byArn(String(headers['x-amzn-principal']));
    if (!certificate || !aws.things.has(name)) return refusal(404, 'ResourceNotFoundException');
    if (method === 'PUT') certificate.things.add(name);
    else if (certificate.things.delete(name) && aws.isLate) leaving.add(name);
    return json(200, {});
  };
  const answer = async (request: Asked): Promise<Said> => {
    const [path = '', query = ''] = request.url.split('?');
    const [root = '', name = '', third] = path.slice(1).split('/').map(decodeURIComponent);
    aws.asked.push(`${request.method} ${path}`);
    const { service, region, key, fits } = signatureOf(request, AWS_SECRET);
    if (!fits || key !== AWS_KEY || region !== AWS_REGION) {
      aws.wrong.push(`${request.method} ${request.url}`);
      return refusal(403, 'InvalidSignatureException');
    }
    if (service !== (root === 'topics' ? 'iotdata' : 'iot')) return refusal(403, 'InvalidSignatureException');
    const trouble = await aws.trouble?.(request);
    if (trouble) return trouble;
    if (root === 'topics') return json(200, { message: 'OK' });
    if (root === 'things') return third === 'principals' ? principalCall(request, name) : thingCall(request, name);
    if (root === 'certificate' && name === 'register-no-ca') return registerCertificate(request);
    if (root === 'target-policies') {
      if (!known.includes(name)) return refusal(404, 'ResourceNotFoundException');
      const policies = byArn((JSON.parse(request.body) as { target: string }).target)?.policies;
      if (request.method === 'PUT') policies?.add(name);
      else policies?.delete(name);
      return json(200, {});
    }
    const certificate = root === 'certificates' ? aws.certificates.get(name) : undefined;
    if (!certificate) return refusal(404, 'ResourceNotFoundException');
    certificate.status = new URLSearchParams(query).get('newStatus') ?? certificate.status;
    return json(200, {});
  };
  receiver.answer = answer;
  return aws;
}
export const refused = refusal;
