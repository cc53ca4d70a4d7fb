import { extensionOf, type FileKind, kindOf } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Actor } from '../../platform/context.ts';

/** The kind of a file that this person may upload under this name. */
export function checkKind(actor: Actor, code: string, name: string, size: number): FileKind {
  const kind = kindOf(code);
  if (!kind?.extensions.includes(extensionOf(name))) throw new Fault('FILE_KIND_REFUSED');
  if (!isAllowed(actor.permissions, kind.can)) throw fault('FORBIDDEN');
  if (size > kind.maxBytes) throw tooLarge(kind);
  return kind;
}

export const tooLarge = (kind: FileKind): Fault =>
  new Fault('FILE_TOO_LARGE', { code: 413, params: { mb: Math.floor(kind.maxBytes / 1024 / 1024) } });

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** The folder is gone, foreign or read-only, or its disk is broken. */
const unusable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EIO', 'ENOENT', 'EMFILE', 'ECONNREFUSED']);

/** A store that is full or can't be written says so in the person's words. */
export function spaceFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (full.has(code)) return new Fault('NO_SPACE', { code: 503, params: { seconds: 60 } });
  return unusable.has(code) ? fault('UNAVAILABLE', { seconds: 60 }) : error;
}
