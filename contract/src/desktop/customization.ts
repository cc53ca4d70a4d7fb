import { z } from 'zod';
import { entity } from '../kit/entity.ts';
import { field, state } from '../kit/field.ts';
import { isTimeZone } from '../shared/time-zone.ts';
import { contentCalls } from './content-calls.ts';
import { contentHead, contentTail, PictureId } from './content-fields.ts';
import { systemCustomizationKind } from './kinds.ts';
import { customizationMachine } from './state-machines.ts';

const Bar = z.enum(['keep', 'shown', 'hidden']).default('keep');
const Percent = z.int().min(0).max(100).nullable().default(null);
/** BCP 47, as far as terminals tell languages apart: language, script, region. */
const Locale = z.string().regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'invalid.locale');

/** How the system of a terminal looks; what is left open stays as it is there. */
export const Customization = entity(
  'customization',
  {
    ...contentHead,
    bootPictureId: field(PictureId),
    wallpaperId: field(PictureId),
    statusBar: field(Bar),
    navigationKeys: field(Bar),
    brightness: field(Percent),
    volume: field(Percent),
    screenSeconds: field(z.int().min(15).max(3600).nullable().default(null)),
    locale: field(Locale.nullable().default(null), { help: true }),
    timeZone: field(z.string().max(64).refine(isTimeZone, 'invalid.timeZone').nullable().default(null), { help: true }),
    state: state(customizationMachine, { filter: true }),
    ...contentTail,
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name'] } },
);
export const customizationCalls = contentCalls(Customization, 'customization', `${systemCustomizationKind.permission}:page`);
