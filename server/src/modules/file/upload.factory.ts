import { createHash, randomBytes } from 'node:crypto';
import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { partSize } from '@mooring/contract/file/kinds';
import type { Call } from '@mooring/contract/kit/call';
import type { FastifyInstance } from 'fastify';
import type { Client, Envelope } from '../../../test/test-app.ts';

export const MB = 1024 * 1024;
/** Bytes of a part, whatever the store. */
export const PART = partSize('disk');
export const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** Bytes that begin as a ZIP does. */
export const zipLike = (length: number): Buffer => Buffer.concat([Buffer.from('504b0304', 'hex'), randomBytes(length - 4)]);

interface Piece {
  readonly name: string;
  readonly fileName?: string;
  readonly value: Buffer | string;
}
type Answer = Envelope<never> & { readonly status: number };
export type Answered<B> = Envelope<(B & { fault?: string; fields?: Record<string, unknown> }) | null> & { readonly status: number };

/** A multipart body as a browser writes it. */
export function multipart(pieces: readonly Piece[]): { readonly payload: Buffer; readonly headers: Record<string, string> } {
  const boundary = `----mooring${randomBytes(8).toString('hex')}`;
  const body = pieces.flatMap(({ name, fileName, value }) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"`),
    Buffer.from(fileName === undefined ? '\r\n\r\n' : `; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return {
    payload: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

export async function post<B>(http: FastifyInstance, client: Client, call: Call, pieces: readonly Piece[]): Promise<Answered<B>> {
  const { payload, headers } = multipart(pieces);
  const answer = await http.inject({
    method: 'POST',
    url: `/ops${call.path}`,
    headers: { authorization: client.token, 'accept-language': 'en', ...headers },
    payload,
  });
  return { ...(JSON.parse(answer.body) as Answer), status: answer.statusCode };
}

/** A file in one call. */
export const direct = (
  http: FastifyInstance,
  client: Client,
  file: { type: string; name: string; bytes: Buffer; call?: Call; req?: object },
) =>
  post<UploadedFile>(http, client, file.call ?? fileCalls.direct, [
    { name: 'req', value: JSON.stringify({ type: file.type, identifier: md5(file.bytes), ...file.req }) },
    { name: 'file', fileName: file.name, value: file.bytes },
  ]);

/** An upload in parts through the calls, step by step. */
export function upload(http: FastifyInstance, client: Client, bytes: Buffer, name = 'fw.zip', fileType = '5') {
  const which = { identifier: md5(bytes), fileType };
  const count = Math.ceil(bytes.length / PART);
  const about = { ...which, fileName: name, size: bytes.length, totalPartSize: count };
  const partOf = (number: number) => bytes.subarray((number - 1) * PART, number * PART);
  return {
    bytes,
    which,
    about,
    count,
    begin: () => client.call(fileCalls.initMultipartUpload, about),
    /** `as` changes what is said of it, `send` what is sent. */
    part(number: number, as: object = {}, send: Buffer = partOf(number)) {
      const info = { ...about, partNumber: number, curPartSize: partOf(number).length, md5: md5(partOf(number)), ...as };
      return post<{ uploadFlag: boolean }>(http, client, fileCalls.uploadPart, [
        { name: 'req', value: JSON.stringify(info) },
        { name: 'file', fileName: 'blob', value: send },
      ]);
    },
    finish: () => client.send(fileCalls.transferUpload, which),
    check: () => client.call(fileCalls.transferCheck, which),
    cancel: () => client.call(fileCalls.cancelUpload, which),
  };
}
