/** Pictures in hovers: as large as they are drawn, but no larger than a hover can be. */

const MOST = { width: 600, height: 300 }; // pixels
const PICTURE = /!\[([^\]]*)\]\((data:image\/svg\+xml;base64,([\w+/=]+))\)/g;
const SIZE = /<svg\b[^>]*?\bwidth="([\d.]+)[^"]*"[^>]*?\bheight="([\d.]+)/;

/** The Markdown with sizes, in the form that the editor has for them. */
export function fitted(markdown: string): string {
  return markdown.replace(PICTURE, (whole, words: string, address: string, data: string) => {
    const [, width, height] = SIZE.exec(Buffer.from(data, 'base64').toString('utf8')) ?? [];
    if (width === undefined || height === undefined) {
      return whole;
    }
    const [wide, high] = [Number(width), Number(height)];
    const scale = Math.min(1, MOST.width / wide, MOST.height / high);
    const size = `width=${Math.round(wide * scale)},height=${Math.round(high * scale)}`;
    return `![${words}](${address}|${size})`;
  });
}
