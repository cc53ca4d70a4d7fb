import { z } from 'zod';
import { call, calls } from '../kit/call.ts';

/** Menu node as the console gets it (specification, section 3): `perms` comma-separated, buttons included. */
export interface NavNode {
  id: number;
  name: string;
  code: string;
  type: number;
  icon: string | null;
  url: string | null;
  perms: string;
  children: NavNode[];
}
export const Nav: z.ZodType<NavNode> = z.lazy(() =>
  z.object({
    id: z.int(),
    name: z.string(),
    code: z.string(),
    type: z.int(),
    icon: z.string().nullable(),
    url: z.string().nullable(),
    perms: z.string(),
    children: z.array(Nav),
  }),
);

export const menuCalls = calls('access', '/sys/menus', {
  nav: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ menuType: z.enum(['centre', 'manager']) }),
    output: z.array(Nav),
    faults: ['NO_MENU'],
  }),
  /** Figures beside menu entries, each registered by the domain that owns it; only those the actor may see. */
  counts: call({ can: 'session', reads: true, output: z.record(z.string(), z.int()) }),
});
