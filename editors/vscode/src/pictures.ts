/** Pictures in hovers: as large as they are drawn, but no larger than a hover can be, and in the
 *  colours for the ground that they are shown on. */

const MOST = { width: 600, height: 300 }; // pixels
const PICTURE = /!\[([^\]]*)\]\((data:image\/svg\+xml;base64,([\w+/=]+))\)/g;
const SIZE = /<svg\b[^>]*?\bwidth="([\d.]+)[^"]*"[^>]*?\bheight="([\d.]+)/;

/** The Markdown with sizes, in the form that the editor has for them. */
export function fitted(markdown: string, dark: boolean): string {
  return markdown.replace(PICTURE, (whole, words: string, address: string, data: string) => {
    const drawn = Buffer.from(data, 'base64').toString('utf8');
    const [, width, height] = SIZE.exec(drawn) ?? [];
    if (width === undefined || height === undefined) {
      return whole;
    }
    const [wide, high] = [Number(width), Number(height)];
    const scale = Math.min(1, MOST.width / wide, MOST.height / high);
    const size = `width=${Math.round(wide * scale)},height=${Math.round(high * scale)}`;
    return `![${words}](${dark ? darkened(drawn) : address}|${size})`;
  });
}

/** The address of a picture with the other of the two sets of colours that it has. */
function darkened(drawn: string): string {
  const picture = drawn.replace('class="light"', 'class="dark"');
  return `data:image/svg+xml;base64,${Buffer.from(picture, 'utf8').toString('base64')}`;
}
