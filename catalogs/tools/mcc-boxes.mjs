// Writes ../src/main/resources/io/lastfix/catalogs/mcc-boxes.csv: the boxes, in whole degrees, in which each mobile
// country code is used. Run `npm ci` in console/web once, then `node catalogs/tools/mcc-boxes.mjs`.
// The shapes are Natural Earth's (public domain), by way of the package world-atlas.
import { readFileSync, writeFileSync } from 'node:fs';

// Mobile country codes (ITU-T E.212, List of Mobile Country or Geographical Area Codes) and the countries (ISO 3166-1
// numeric, as in Natural Earth; by name if it gives no number) where their networks are heard.
const COUNTRIES = `
202 300; 204 528; 206 56; 208 250; 212 492; 213 20; 214 724; 216 348; 218 70; 219 191; 220 688,Kosovo; 221 Kosovo
222 380,674,336; 225 336; 226 642; 228 756,438; 230 203; 231 703; 232 40; 234,235 826,831,832,833; 238 208; 240 752
242 578; 244 246,248; 246 440; 247 428; 248 233; 250 643; 255 804; 257 112; 259 498; 260 616; 262 276; 266 292; 268 620
270 442; 272 372; 274 352; 276 8; 278 470; 280 196,N. Cyprus; 282 268; 283 51; 284 100; 286 792,N. Cyprus; 288 234
289 268; 290 304; 292 674; 293 705; 294 807; 295 438; 297 499; 302 124; 308 666
310,311,312,313,314,315,316 840,630,850,316,580,16; 330 630; 332 850; 334 484; 338 388; 340 250,652,663; 342 52; 344 28
346 136; 348 92; 350 60; 352 308; 354 500; 356 659; 358 662; 360 670; 362 531,534,528; 363 533; 364 44; 365 660; 366 212
368 192; 370 214; 372 332; 374 780; 376 796; 400 31; 401 398; 402 64; 404,405,406 356; 410 586; 412 4; 413 144; 414 104
415 422; 416 400; 417 760; 418 368; 419 414; 420 682; 421 887; 422 512; 423 275; 424,430,431 784; 425 376,275; 426 48
427 634; 428 496; 429 524; 432 364; 434 860; 436 762; 437 417; 438 795; 440,441 392; 450 410; 452 704; 454 344; 455 446
456 116; 457 418; 460,461 156; 466 158; 467 408; 470 50; 472 462; 502 458; 505 36,574,Indian Ocean Ter.; 510 360; 514 626
515 608; 520 764; 525 702; 528 96; 530 554; 534 580; 535 316; 536 520; 537 598; 539 776; 540 90; 541 548; 542 242; 543 876
544 16; 545 296; 546 540; 547 258; 548 184; 549 882; 550 583; 551 584; 552 585; 553 798; 555 570; 602 818; 603 12
604 504,732; 605 788; 606 434; 607 270; 608 686; 609 478; 610 466; 611 324; 612 384; 613 854; 614 562; 615 768; 616 204
617 480; 618 430; 619 694; 620 288; 621 566; 622 148; 623 140; 624 120; 625 132; 626 678; 627 226; 628 266; 629 178
630 180; 631 24; 632 624; 633 690; 634 729; 635 646; 636 231; 637 706,Somaliland; 638 262; 639 404; 640 834; 641 800
642 108; 643 508; 645 894; 646 450; 647 250; 648 716; 649 516; 650 454; 651 426; 652 72; 653 748; 654 174; 655 710
657 232; 658 654; 659 728; 702 84; 704 320; 706 222; 708 340; 710 558; 712 188; 714 591; 716 604; 722 32; 724 76; 730 152
732 170; 734 862; 736 68; 738 328; 740 218; 742 250; 744 600; 746 740; 748 858; 750 238
`;

/** Towers stand on islets that the shapes lack, and are placed up to their range away. */
const MARGIN_DEGREES = 0.3;

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const atlas = JSON.parse(read('../../console/web/node_modules/world-atlas/countries-10m.json'));
const { scale, translate } = atlas.transform;

const arcs = atlas.arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    [x, y] = [x + dx, y + dy];
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});

/** The boxes of a polygon's shell: two if it crosses the 180th meridian. */
function boxesOf([shell]) {
  let before = null;
  const points = shell
    .flatMap((i) => (i < 0 ? [...arcs[~i]].reverse() : arcs[i]))
    .map(([lon, lat]) => {
      before = before === null ? lon : lon + 360 * Math.round((before - lon) / 360);
      return [before, lat];
    });
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  const [south, north] = [
    Math.max(-90, Math.floor(Math.min(...lats) - MARGIN_DEGREES)),
    Math.min(90, Math.ceil(Math.max(...lats) + MARGIN_DEGREES)),
  ];
  const [west, east] = [
    Math.floor(Math.min(...lons) - MARGIN_DEGREES),
    Math.ceil(Math.max(...lons) + MARGIN_DEGREES),
  ];
  return [-360, 0, 360]
    .map((by) => [Math.max(-180, west + by), south, Math.min(180, east + by), north])
    .filter(([w, , e]) => w < e);
}

/** Unites boxes that overlap, until none do: islands of one group become one box. */
function united(boxes) {
  const result = [];
  for (let box of boxes) {
    for (let i = 0; i < result.length; ) {
      const other = result[i];
      if (box[0] <= other[2] && other[0] <= box[2] && box[1] <= other[3] && other[1] <= box[3]) {
        box = [
          Math.min(box[0], other[0]),
          Math.min(box[1], other[1]),
          Math.max(box[2], other[2]),
          Math.max(box[3], other[3]),
        ];
        result.splice(i, 1);
        i = 0;
      } else {
        i++;
      }
    }
    result.push(box);
  }
  return result.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

const lines = [];
for (const entry of COUNTRIES.trim().split(/[;\n]/)) {
  const [, codes, countries] = /^\s*([\d,]+) (.+)$/.exec(entry);
  const shapes = countries.split(',').flatMap((country) => {
    const found = atlas.objects.countries.geometries.filter(
      ({ id, properties }) => properties.name === country || (id !== undefined && Number(id) === Number(country)),
    );
    if (found.length === 0) {
      throw new Error(`mcc ${codes}: Natural Earth has no country ${country}`);
    }
    return found;
  });
  const boxes = united(
    shapes.flatMap(({ type, arcs: parts }) => (type === 'Polygon' ? [parts] : parts)).flatMap(boxesOf),
  );
  for (const code of codes.split(',')) {
    lines.push(...boxes.map((box) => `${code},${box.join(',')}`));
  }
}
writeFileSync(
  new URL('../src/main/resources/io/lastfix/catalogs/mcc-boxes.csv', import.meta.url),
  `mcc,west,south,east,north\n${lines.join('\n')}\n`,
);
