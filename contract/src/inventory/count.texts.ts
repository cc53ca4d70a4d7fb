import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { CountLine, StockCount } from './count.ts';

/** A shelf counted with a scanner. */
export const countTexts = texts({
  'stockCount.title': ['Stock counts', '盘点'],
  'stockCount.new': ['Count stock', '库存盘点'],
  'stockCount.empty': ['No counts yet', '暂无盘点记录'],
  'stockCount.emptyText': ['Scan the terminals on a shelf and compare them with the stock.', '扫描货架上的终端并与库存核对。'],
  'stockCount.search': ['Product, person or remark', '产品、人员或备注'],
  'stockCount.expected': ['Expected', '应有'],
  'stockCount.found': ['Found', '已找到'],
  'stockCount.missing': ['Missing', '缺失'],
  'stockCount.unexpected': ['Unexpected', '意外'],
  'stockCount.doubled': ['Scanned twice', '重复扫描'],
  'stockCount.scan': ['Scan serial number', '扫描序列号'],
  'stockCount.scan.help': [
    'Choose the organisation, then scan. A scanner that ends with Enter continues automatically; typing works too.',
    '先选择机构再扫描。扫描枪以回车结尾即可连续扫描，也可手动输入。',
  ],
  'stockCount.scans': ['Scans, latest first', '扫描记录（最新在前）'],
  'stockCount.drop': ['Take out the scan of {sn}', '移除 {sn} 的扫描'],
  'stockCount.again': ['Scanned again', '重复扫描'],
  'stockCount.unknown': ['No such terminal here', '此处无此终端'],
  'stockCount.elsewhere': ['Not expected here: {dept}', '不应在此：{dept}'],
  'stockCount.finish': ['Save count', '保存盘点'],
  'stockCount.restart': ['Start over', '重新开始'],
  'stockCount.file': ['Add from file', '从文件添加'],
  'stockCount.file.about': [
    'An XLSX or CSV file with a column SN, or a plain list with one serial number per line, up to {most} at once. What the file says counts like scans in its order.',
    '带“SN”列的 XLSX 或 CSV 文件，或每行一个序列号的纯文本列表，一次最多 {most} 个。文件内容按顺序计为扫描。',
  ],
  'stockCount.file.name': ['File', '文件'],
  'stockCount.file.read': [
    '{n, plural, one {# serial number} other {# serial numbers}} in this file: {found} expected here, {unexpected} not.',
    '文件中有 {n} 个序列号：应在此 {found} 个，不应在此 {unexpected} 个。',
  ],
  'stockCount.file.wrong': [
    '{n, plural, one {# row is left out:} other {# rows are left out. The first of them:}}',
    '{n, plural, other {有 # 行无法读取，将被跳过：}}',
  ],
  'stockCount.file.row': ['Row', '行'],
  'stockCount.file.value': ['Content', '内容'],
  'stockCount.file.why': ['Reason', '原因'],
  'stockCount.file.take': ['{n, plural, one {Add # serial number} other {Add # serial numbers}}', '{n, plural, other {添加 # 个序列号}}'],
  'stockCount.file.many': ['One count takes {most} scans at most. Save this one first.', '一次盘点最多 {most} 次扫描，请先保存当前盘点。'],
  'countLine.title': ['Serial numbers', '序列号'],
  'countLine.empty': ['No serial numbers', '暂无序列号'],
  'countLine.search': ['SN', '序列号'],
  'countLine.countId': ['Count', '盘点'],
  'countLine.result': ['Result', '结果'],
  'countLine.result.found': ['Found', '已找到'],
  'countLine.result.missing': ['Missing', '缺失'],
  'countLine.result.unexpected': ['Unexpected', '意外'],
  'countLine.times': ['Times scanned', '扫描次数'],
  'countLine.deviceId': ['Terminal', '终端'],
  'fault.COUNT_FILE_EMPTY': ['There are no serial numbers in this file.', '文件中没有序列号。'],
  'fault.COUNT_FILE_COLUMN': [
    'Which column has the serial numbers? Name it SN in the first row, or leave one column only.',
    '无法确定序列号所在的列。请在首行将该列命名为“SN”，或只保留一列。',
  ],
  'fault.COUNT_NONE_UNEXPECTED': [
    'None of the chosen terminals is unexpected. Only those can be put into stock here.',
    '所选终端中没有意外的终端，此处只能将意外的终端入库。',
  ],
  'fault.COUNT_TOO_LARGE': ['Too many terminals for one count. Choose a product.', '终端过多，请选择产品分别盘点。'],
}) satisfies FieldTexts<typeof StockCount> & FieldTexts<typeof CountLine>;
