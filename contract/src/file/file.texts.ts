import { texts } from '../kit/texts.ts';

export const fileTexts = texts({
  'fault.FILE_KIND_REFUSED': ['This file type isn’t accepted here.', '此处不接受该类型的文件。'],
  'fault.FILE_TOO_LARGE': ['The file is larger than {mb} MB.', '文件超过 {mb} MB。'],
  'fault.PICTURE_LARGE': [
    'The picture has too many pixels: at most {megapixels} megapixels. Make it smaller first.',
    '图片像素过多，最多 {megapixels} 百万像素，请先缩小。',
  ],
  'fault.FILE_NOT_GENUINE': ['The content doesn’t match the file type.', '文件内容与类型不符。'],
  'fault.HASH_MISMATCH': ['The content changed during the upload. Upload it again.', '文件内容在传输中发生变化，请重新上传。'],
  'fault.PART_REFUSED': ['Part of the upload doesn’t match the file. Upload it again.', '上传分片与文件不匹配。'],
  'fault.NO_SPACE': ['The server has no space left for this file.', '服务器空间不足。'],
  'fault.FILE_IN_USE': ['The file is in use.', '文件正在使用。'],
  'fault.TOKEN_EXPIRED': ['The link has expired.', '链接已过期。'],
  'invalid.uploadName': ['This file name isn’t valid.', '文件名无效。'],
  'invalid.identifier': ['This isn’t a valid checksum.', '无效的文件摘要。'],
  'page.temp.fileExists': ['This file is already in the list.', '该文件已在列表中。'],
  'kit.upload.wrongKind': ['Only {kinds}', '仅支持 {kinds}'],
  'kit.upload.empty': ['The file is empty', '文件为空'],
  'kit.upload.tooLarge': ['Larger than {mb} MB', '超过 {mb} MB'],
  'kit.upload.hint': ['{kinds}, up to {size}. An interrupted upload resumes where it stopped.', '{kinds}，最大 {size}。中断后可续传。'],
});
