import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { commonFaults, Fault } from '@mooring/contract/kit/fault';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { fieldsOf } from '../../platform/http/read-input.ts';

const bad = (fields: Record<string, string>) => new Fault('BAD_INPUT', { code: commonFaults.BAD_INPUT, fields });

/** The JSON part `req`, then the bytes of `file` (specification, section 3, "Upload request"). The order is fixed, so that nothing is stored unseen. */
export async function readMultipart<T>(request: FastifyRequest, schema: z.ZodType<T>): Promise<{ info: T; file: MultipartFile }> {
  if (!request.isMultipart()) throw bad({ '': 'invalid.multipart' });
  let info: T | undefined;
  for await (const part of request.parts({ limits: { fields: 4, files: 1, parts: 5, fieldSize: 16 * 1024 } })) {
    if (part.type === 'file') {
      // A client that leaves breaks the stream, perhaps while nobody reads it.
      part.file.on('error', () => {});
      if (info !== undefined && part.fieldname === 'file') return { info, file: part };
      part.file.resume();
      throw bad({ req: 'invalid.required' });
    }
    // Who names the part's type, application/json, finds it read already.
    if (part.fieldname === 'req') info = check(typeof part.value === 'string' ? parse(part.value) : part.value, schema);
  }
  throw bad({ file: 'invalid.required' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad({ req: 'invalid.json' });
  }
}

function check<T>(raw: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw bad(fieldsOf(parsed.error));
  return parsed.data;
}

export interface Measured {
  readonly bytes: Readable;
  readonly md5: () => string;
  readonly size: () => number;
  readonly head: () => Buffer;
}

const HEAD = 512;

/** Passes bytes on as they are asked for, measuring them; ends with an error above `most`. Its source can be drained afterwards. */
export function measure(source: Readable, most: number, tooLarge: () => Error): Measured {
  const hash = createHash('md5');
  let size = 0;
  let head = Buffer.alloc(0);
  async function* measured() {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
      if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD - head.length)]);
      if (size > most) throw tooLarge();
      yield chunk;
    }
  }
  let digest: string | undefined;
  return { bytes: Readable.from(measured()), md5: () => (digest ??= hash.digest('hex')), size: () => size, head: () => head };
}
