import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../platform/context.ts';
import type { Audit } from './audit.ts';

type Parts = Readonly<Record<string, unknown>>;

/** What was handed in before what stands there; while it is written anew, what was handed in last. Undefined the first time. */
export async function earlierContent(db: Db, audit: Pick<Audit, 'id' | 'step'>): Promise<Parts | undefined> {
  const [last, before] = await db
    .selectFrom('approval_application')
    .select('content')
    .where('audit_id', '=', audit.id)
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  const earlier: unknown = (audit.step.endsWith('0') ? last : before)?.content;
  return typeof earlier === 'object' && earlier !== null ? { ...earlier } : undefined;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
/** Of these parts, those that aren't the same in both. */
export const partsThatDiffer = <P extends string>(parts: readonly P[], now: Parts, then: Parts): P[] =>
  parts.filter((part) => !isDeepStrictEqual(plain(then[part]), plain(now[part])));
