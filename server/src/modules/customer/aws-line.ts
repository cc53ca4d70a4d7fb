import { topicOf } from '@mooring/contract/customer/topic';
import { AwsClient } from 'aws4fetch';
import { sendOutside } from '../../platform/outbound/door.ts';
import { type Line, outcomeOf, type Platform, reasonOf } from './line.ts';

const PATIENCE_MS = 10_000;

export interface AwsAsk {
  readonly service: 'iot' | 'iotdata';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request to AWS, signed (Signature Version 4), to an address that was checked. */
export async function askAws(
  { userName, secret, region, ca, allowed, now }: Platform,
  { service, method, url, headers = {}, body }: AwsAsk,
) {
  const aws = new AwsClient({ accessKeyId: userName, secretAccessKey: secret, service, region });
  const datetime = now()
    .toISOString()
    .replaceAll(/[:-]|\.\d{3}/g, '');
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body === undefined ? {} : { body }) };
  const request = await aws.sign(url, { ...init, aws: { datetime, allHeaders: true } });
  const sent = {
    url: request.url,
    method,
    headers: Object.fromEntries(request.headers),
    allowed,
    timeoutMs: PATIENCE_MS,
    mostBytes: 65_536,
    ca,
  };
  return sendOutside(body === undefined ? sent : { ...sent, body });
}

/** The data plane of AWS IoT Core: a publish over HTTPS, with quality of service 1. */
export const awsLine = (platform: Platform): Line => ({
  async send({ sn, product, kind, body }) {
    const topic = topicOf(platform.topic, { sn, product, kind });
    const path = topic.split('/').map(encodeURIComponent).join('/');
    const url = `${platform.endpoint.replace(/\/+$/, '')}/topics/${path}?qos=1`;
    try {
      const answer = await askAws(platform, { service: 'iotdata', method: 'POST', url, body });
      const outcome = outcomeOf(answer.status);
      // Others of its 400s are about who asks, and where.
      const isRefused = answer.status === 413 || String(answer.headers['x-amzn-errortype'] ?? '').startsWith('InvalidRequestException');
      return outcome.fate === 'refused' && !isRefused ? { fate: 'later', reason: 'IOT_STATUS', status: answer.status } : outcome;
    } catch (error) {
      return { fate: 'later', reason: reasonOf(error) };
    }
  },
  close() {},
});
