import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { House } from '../../platform/house.ts';
import type { Wire } from '../../platform/module.ts';
import { fileById } from './file-queries.ts';
import type { Files } from './files.ts';

const SECONDS = 600;

const macOf = (house: House, body: string) => createHmac('sha256', house.masterKey.derive('file-get')).update(body).digest('base64url');

/** A token for the GET of one file that the actor may see. */
export async function securityToken(ctx: Ctx, house: House, id: number) {
  const file = await fileById(ctx.db, id);
  if (!file) throw fault('NOT_FOUND');
  const body = `${id}.${Math.floor(ctx.now().getTime() / 1000) + SECONDS}`;
  const token = `${body}.${macOf(house, body)}`;
  return { token, url: `/file/get/${token}`, expiresIn: SECONDS };
}

/** The bytes, always as a download: what others uploaded never runs in the console's origin. */
export async function getFile(ctx: Ctx, house: House, files: Files, token: string, wire: Wire): Promise<unknown> {
  const [id = '', until = '', mac = ''] = token.split('.');
  const wanted = Buffer.from(macOf(house, `${id}.${until}`));
  const given = Buffer.from(mac);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw fault('NOT_FOUND');
  if (Number(until) * 1000 < ctx.now().getTime()) throw new Fault('TOKEN_EXPIRED');
  const file = await ctx.unscoped((db) => fileById(db, Number(id)));
  if (!file) throw fault('NOT_FOUND');
  const name = encodeURIComponent(file.name);
  return wire.reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': file.size,
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'cache-control': 'private, no-store',
    })
    .send(await files.store.read(file.sha256));
}
