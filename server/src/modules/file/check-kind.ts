import { extensionOf, type FileKind, kindOf } from '@mooring/contract/file/kinds';
import { fault, Fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Actor } from '../../platform/context.ts';

/** The kind of a file that this person may upload under this name. */
export function checkKind(actor: Actor, code: string, name: string, size: number): FileKind {
  const kind = kindOf(code);
  if (!kind || !kind.extensions.includes(extensionOf(name))) throw new Fault('FILE_KIND_REFUSED');
  if (!isAllowed(actor.permissions, kind.can)) throw fault('FORBIDDEN');
  if (size > kind.maxBytes) throw tooLarge(kind);
  return kind;
}

export const tooLarge = (kind: FileKind): Fault => new Fault('FILE_TOO_LARGE', { code: 413, params: { mb: Math.floor(kind.maxBytes / 1024 / 1024) } });

/** A store that is full says so in the person's words. */
export function spaceFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' ? new Fault('NO_SPACE', { code: 503, params: { seconds: 60 } }) : error;
}
