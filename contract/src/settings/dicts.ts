import { FAULTS } from '../order/calls.ts';
import { networkKinds, productCategories } from '../product/calls.ts';

/** Lists that the product itself needs. `names` is the text key prefix of locked entries, whose labels follow the language packs. */
export interface SystemDict {
  readonly code: string;
  readonly name: string;
  readonly remark: string;
  readonly names?: string;
  /** There is a drawn picture of each. */
  readonly drawn?: true;
  readonly values: readonly string[];
  /** First entries that a person may change or delete: English, Chinese, Arabic. */
  readonly open?: Readonly<Record<string, readonly [en: string, zh: string, ar: string]>>;
}

const declared = [
  {
    code: 'productCategory',
    name: 'Product categories',
    remark: 'Kinds of devices',
    names: 'product.category.',
    values: productCategories,
    drawn: true,
  },
  {
    code: 'networkKind',
    name: 'Network kinds',
    remark: 'How a terminal reaches us',
    names: 'device.network.',
    values: networkKinds,
  },
  {
    code: 'industry',
    name: 'Industries',
    remark: 'Offered where a product names its industry',
    values: [],
    open: {
      retail: ['Retail', '零售', 'تجزئة'],
      hospitality: ['Hospitality', '餐饮酒店', 'ضيافة'],
      transport: ['Transport', '交通', 'نقل'],
      health: ['Health', '医疗', 'صحة'],
      bank: ['Banking', '银行', 'مصارف'],
      other: ['Other', '其他', 'أخرى'],
    },
  },
  {
    code: FAULTS,
    name: 'Faults of terminals',
    remark: 'Offered in after-sales orders',
    values: [],
    open: {
      screen: ['Screen', '屏幕', 'الشاشة'],
      printer: ['Printer', '打印机', 'الطابعة'],
      cardReader: ['Card reader', '读卡器', 'قارئ البطاقات'],
      battery: ['Battery', '电池', 'البطارية'],
      network: ['Network', '网络', 'الشبكة'],
      tamper: ['Tamper', '防拆触发', 'العبث'],
      software: ['Software', '软件', 'البرمجيات'],
      other: ['Other', '其他', 'أخرى'],
    },
  },
] as const satisfies readonly SystemDict[];
export const systemDicts: readonly SystemDict[] = declared;
/** Each is called by a text of its own, and says by another what it is for. */
export type SystemDictTexts = Record<`settings.dict.own.${(typeof declared)[number]['code']}${'' | '.about'}`, readonly [string, string]>;
