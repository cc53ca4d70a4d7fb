import { texts } from '../../kit/texts.ts';

export const deviceSheetTexts = texts({
  'device.import': ['Import', '导入'],
  'device.import.title': ['Import terminals', '导入终端'],
  'device.import.about': [
    'One row per terminal, up to 100,000 rows in an XLSX or CSV file. Nothing is imported before you have seen what the check found.',
    '每行一台终端，支持 XLSX 或 CSV 文件，最多 100,000 行。检查结果确认后才会导入。',
  ],
  'device.import.product': ['Product', '产品'],
  'device.import.product.help': [
    'The template gets the columns of this product. Without one, each row names its product.',
    '模板将包含该产品适用的列；不选择时，每行需填写产品。',
  ],
  'device.import.take': [
    '{n, plural, one {Import {count} terminal} other {Import {count} terminals}}',
    '{n, plural, other {导入 {count} 台终端}}',
  ],
  'device.change': ['Change from file', '文件批量修改'],
  'device.change.title': ['Change terminals from a file', '通过文件批量修改终端'],
  'device.change.about': [
    'One row per terminal, found by its SN. Only the columns in the file change; an empty cell leaves the value as it is, and a single - clears it.',
    '每行一台终端，按序列号匹配。仅修改文件中包含的列；单元格留空表示不修改，填写 - 表示清空。',
  ],
  'device.change.take': [
    '{n, plural, one {Change {count} terminal} other {Change {count} terminals}}',
    '{n, plural, other {修改 {count} 台终端}}',
  ],
  'work.import.device': ['Import terminals', '导入终端'],
  'work.import.deviceChange': ['Change terminals from a file', '通过文件批量修改终端'],
  'device.sheet.merchant': ['Merchant number', '商户编号'],
  'device.sheet.shop': ['Shop number', '门店编号'],
  'device.sheet.added': ['Added', '已添加'],
  'device.sheet.changed': ['Changed', '已修改'],
  'device.sheet.addedOutside': ['Added, but not to all of its groups', '已添加，但未加入全部分组'],
  'device.sheet.changedOutside': ['Changed, but not in all of its groups', '已修改，但未加入全部分组'],
  'device.sheet.same': ['Nothing to change', '无需修改'],
  'fault.SHEET_NO_PRODUCT': ['Enter a product, or choose one for the whole file.', '请填写产品，或为整个文件选择产品。'],
  'fault.SHEET_MANY_PRODUCTS': ['Several products have this name. Enter the product code instead.', '存在多个同名产品，请填写产品编码。'],
  'fault.SHEET_MANY_MERCHANTS': [
    'Several merchants above this terminal’s organisation have this number.',
    '该终端所属机构上级存在多个相同编号的商户。',
  ],
  'fault.SHEET_NO_MERCHANT': ['Enter the merchant number too.', '请同时填写商户编号。'],
  'fault.SHEET_GROUP': ['No group of this name takes this terminal.', '没有可加入该终端的同名分组。'],
  'fault.SHEET_MANY_GROUPS': ['Several groups have this name.', '存在多个同名分组。'],
  'fault.SHEET_GROUPS_FULL': ['A terminal can’t be in that many groups.', '一台终端不能加入这么多分组。'],
  'fault.SHEET_YES_NO': ['Enter yes or no.', '请填写是或否。'],
  'fault.SHEET_KEEP': ['This can’t be cleared.', '该项不能清空。'],
  'invalid.imei': ['14 to 16 digits.', '应为 14 至 16 位数字。'],
  'invalid.iccid': ['18 to 20 digits.', '应为 18 至 20 位数字。'],
  'invalid.mac': ['12 hexadecimal digits, such as 00:1A:2B:3C:4D:5E.', '应为 12 位十六进制数，如 00:1A:2B:3C:4D:5E。'],
});
