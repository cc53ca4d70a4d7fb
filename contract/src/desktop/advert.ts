import { z } from 'zod';
import { Window } from '../device/messages.ts';
import { entity } from '../kit/entity.ts';
import { field, state } from '../kit/field.ts';
import { Day } from '../kit/schema.ts';
import { contentCalls } from './content-calls.ts';
import { contentHead, contentTail, FileId } from './content-fields.ts';
import { storeAdvertSpaceKind } from './kinds.ts';
import { advertPlaces, contentLimits } from './limits.ts';
import { advertMachine } from './state-machines.ts';

/** `name` and `media` are the file's; the server notes them. */
const AdvertItem = z.strictObject({
  fileId: FileId,
  seconds: z.int().min(2).max(600).default(10),
  /** How often it is shown in relation to the others. */
  weight: z.int().min(1).max(contentLimits.weight).default(1),
  name: z.string().max(200).default(''),
  media: z.enum(['picture', 'video']).default('picture'),
});
export type AdvertItem = z.output<typeof AdvertItem>;

/** A playlist, and where and when it runs. */
export const Advert = entity(
  'advert',
  {
    ...contentHead,
    place: field(z.enum(advertPlaces), { filter: true, help: true }),
    items: field(z.array(AdvertItem).min(1).max(contentLimits.items), { help: true }),
    fromDay: field(Day.nullable().default(null)),
    toDay: field(Day.nullable().default(null)),
    hours: field(Window.strict().nullable().default(null), { help: true }),
    state: state(advertMachine, { filter: true }),
    ...contentTail,
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name'] } },
);
export const advertCalls = contentCalls(Advert, 'advert', `${storeAdvertSpaceKind.permission}:page`);
