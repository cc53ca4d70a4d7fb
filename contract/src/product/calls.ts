import { z } from 'zod';
import { ConfigValues } from '../device/config-values.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { asked, field, joined, read, state } from '../kit/field.ts';
import { crud, moves, picker } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Name, ref } from '../kit/schema.ts';
import { DictValue } from '../settings/dict-calls.ts';
import { productMachine } from './state-machines.ts';

/** Specification section 9: device categories and network kinds. Each category has a drawn picture, which others of an installation may have too. */
export const productCategories = ['smartPos', 'cloudSpeaker', 'smartDesktop', 'smartMobile', 'mobilePos', 'mPos', 'mobileReader'] as const;
export const networkKinds = ['wifi', 'cellular', 'nbiot', 'ethernet', 'other'] as const;
/** Processors for which Android apps carry native code. */
export const abis = ['arm64-v8a', 'armeabi-v7a', 'armeabi', 'x86_64', 'x86'] as const;
export const packageKinds = ['firmware', 'module', 'patch', 'app', 'param'] as const;

const Short = z.string().trim().max(64).default('');
/** Of products and manufacturers. */
export const ProductCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, { message: 'invalid.productCode' });

export const Product = entity(
  'product',
  {
    code: field(ProductCode, { fixed: true, unique: 'PRODUCT_CODE_TAKEN', sort: true, code: true, help: true }),
    name: field(Name, { sort: true }),
    category: field(DictValue, { dict: 'productCategory', filter: true }),
    /** The drawn picture of its category, which stands where it has no photo. */
    picture: joined(z.string(), { text: 'product.photoId' }),
    photoId: field(Id.nullable().default(null)),
    firmId: field(ref('firm').nullable().default(null), { filter: true }),
    firm: joined(z.string(), { text: 'product.firmId' }),
    industry: field(Short, { dict: 'industry' }),
    networks: field(z.array(z.enum(networkKinds)).max(networkKinds.length).default(['wifi', 'cellular']), { names: 'device.network.' }),
    packageKinds: field(z.array(z.enum(packageKinds)).max(packageKinds.length).default(['firmware']), { names: 'product.packageKind.' }),
    heartbeatSeconds: field(z.int().min(10).max(86_400).default(300)),
    /** What needs attention of its terminals, where it isn't what holds for all. */
    lowBatteryPercent: field(z.int().min(1).max(99).nullable().default(null), { help: true }),
    storageFullPercent: field(z.int().min(50).max(99).nullable().default(null), { help: true }),
    silentHours: field(z.int().min(1).max(8760).nullable().default(null), { help: true }),
    /** The oldest Android of its terminals, by its API level; null where nobody says. */
    androidSdk: field(z.int().min(1).max(999).nullable().default(null), { help: true }),
    /** What its terminals run; none where nobody says. */
    abis: field(z.array(z.enum(abis)).max(abis.length).default([]), { names: 'product.abi.', help: true }),
    /** The desired state that a new terminal begins with. */
    config: field(ConfigValues.default({}), { help: true }),
    remark: field(z.string().trim().max(500).default('')),
    publishStatus: state(productMachine, { filter: true }),
    deptId: read(Id, { text: 'product.dept' }),
    deptName: joined(z.string(), { text: 'product.dept' }),
    /** It is here because its owner shares it. */
    isShared: joined(z.boolean()),
    createdAt: read(Moment, { sort: true }),
    /** `publish` needs the permission to publish besides. */
    publish: asked(z.boolean().default(false), { fixed: true, text: 'product.publishNow', help: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name', 'code'] } },
);

const publish = 'product:product:publish';
export const productCalls = calls('product', '/product', {
  ...crud(
    Product,
    { see: 'product:product:page', add: 'product:product:add', update: 'product:product:update', delete: 'product:product:delete' },
    { faults: { add: ['FILE_KIND_REFUSED'], update: ['FILE_KIND_REFUSED'], delete: ['PRODUCT_IN_USE', 'PRODUCT_PROFILE'] } },
  ),
  ...moves(Product, { publish, unpublish: publish }),
  /** What this scope has of it. */
  usage: call({
    can: 'product:product:page',
    reads: true,
    input: ById,
    output: z.object({
      terminals: z.int(),
      /** Its packages by what they are of; `newest` is the version of the latest. */
      packages: z.array(z.object({ kind: z.string(), packages: z.int(), published: z.int(), newest: z.string() })),
    }),
  }),
  /** The published ones that this scope sees. */
  list: picker(Product, ['code', 'name', 'category', 'picture', 'photoId']),
});
