import type { TaskType } from '@mooring/contract/engines/approval/steps';
import type { Audit } from '../../engines/approval/audit.ts';
import type { Subject } from '../../engines/approval/subject.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Notification } from '../message/api.ts';

/** Why somebody is asked: it waits, its time passes soon or has passed, or they have longer. */
export type Asking = 'approvalWaits' | 'approvalSoon' | 'approvalLate' | 'approvalExtended';
/** What is approved, with how those who decide are asked. */
export interface Approvable extends Subject {
  /** A mail has a link that decides without a sign-in. */
  readonly mailsLinks: boolean;
  /** Where it is decided, and where its authors see it. */
  screenOf(audit: Audit, owners: readonly string[]): { readonly deciders: string; readonly authors: string };
  /** In which words; `params` are what these name besides what it is about. */
  words(
    db: Db,
    audit: Audit,
    asking: Asking,
    params: Readonly<Record<string, string>>,
  ): Promise<Pick<Notification, 'name' | 'params' | 'priority' | 'channels'>>;
}
export interface Approvables {
  of(type: string): Approvable;
}

/** What a domain declares of which versions are approved, as it declares kinds of releases. */
export interface DeclaredApproval {
  readonly type: TaskType;
  /** Whoever holds it decides, at or above the owner; colleagues who hold it stand in for each other. */
  readonly can: string;
  subject(ctx: Ctx): Approvable;
}
