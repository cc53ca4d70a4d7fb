import { type PendingDevice, regCalls } from '@mooring/contract/device/reg-calls';
import { pendingMachine } from '@mooring/contract/device/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';

/** A terminal whose SN nobody knows is the platform's to decide about; a known one its owner's. */
export const pagePending: Handler<typeof regCalls.page> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('device_pending as q')
      .leftJoin('device as d', 'd.sn', 'q.sn')
      .leftJoin('org_dept as o', 'o.id', 'd.dept_id')
      .select([
        'q.id',
        'q.sn',
        'q.state',
        'd.id as device_id',
        'o.name as dept_name',
        'q.product_code',
        'q.model',
        'q.key_hash',
        'q.ip',
        'q.tries',
        'q.first_at',
        'q.last_at',
        'q.reason',
        'q.factory',
        'q.rule',
        'q.code_of',
      ])
      .where(all(contains('q.sn', criteria.sn), exact('q.state', criteria.state))),
    {
      page: wanted,
      sorts: { lastAt: 'q.last_at', sn: 'q.sn' },
      id: 'q.id',
      map: (row: {
        id: number;
        sn: string;
        state: string;
        device_id: number | null;
        dept_name: string | null;
        product_code: string;
        model: string | null;
        key_hash: string;
        ip: string;
        tries: number;
        first_at: Date;
        last_at: Date;
        reason: string | null;
        factory: string | null;
        rule: string | null;
        code_of: string | null;
      }): z.input<typeof PendingDevice> => ({
        id: row.id,
        sn: row.sn,
        state: row.state,
        expected: row.device_id !== null,
        deptName: row.dept_name,
        productCode: row.product_code,
        model: row.model,
        fingerprint: row.key_hash,
        ip: row.ip,
        tries: row.tries,
        firstAt: row.first_at,
        lastAt: row.last_at,
        reason: row.reason,
        factory: row.factory,
        rule: row.rule,
        codeOf: row.code_of,
        ...allowing(
          allowedActions(ctx, { accept: regCalls.accept, refuse: regCalls.refuse }, { machine: pendingMachine, state: row.state }),
        ),
      }),
    },
  );

/** Known here, and never in contact. */
export const pageExpected: Handler<typeof regCalls.expected> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('device as d')
      .innerJoin('product_product as p', 'p.id', 'd.product_id')
      .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
      .select(['d.id', 'd.sn', 'd.name', 'd.status', 'p.name as product_name', 'o.name as dept_name', 'd.created_at', 'd.enrolled_at'])
      .where('d.status', 'in', ['1', '5'])
      .where('d.deleted_at', 'is', null)
      .where(all(contains('d.sn', criteria.sn), exact('d.dept_id', criteria.deptId), sql<boolean>`d.activated_at is null`)),
    {
      page: wanted,
      sorts: { createdAt: 'd.created_at', sn: 'd.sn' },
      id: 'd.id',
      map: (row: {
        id: number;
        sn: string;
        name: string;
        status: string;
        product_name: string;
        dept_name: string;
        created_at: Date;
        enrolled_at: Date | null;
      }) => ({
        id: row.id,
        sn: row.sn,
        name: row.name,
        status: row.status,
        productName: row.product_name,
        deptName: row.dept_name,
        createdAt: row.created_at,
        enrolledAt: row.enrolled_at,
      }),
    },
  );
