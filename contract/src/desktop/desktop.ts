import { entity } from '../kit/entity.ts';
import { field, state } from '../kit/field.ts';
import { contentCalls } from './content-calls.ts';
import { contentHead, contentTail } from './content-fields.ts';
import { customizeDesktopKind } from './kinds.ts';
import { Layout } from './layout.ts';
import { desktopMachine } from './state-machines.ts';

/** The home screen of terminals: pages of tiles on a grid, and a dock. */
export const Desktop = entity(
  'desktop',
  { ...contentHead, layout: field(Layout), state: state(desktopMachine, { filter: true }), ...contentTail },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name'] } },
);
export const desktopCalls = contentCalls(Desktop, 'desktop', `${customizeDesktopKind.permission}:page`);
