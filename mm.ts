import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
const patterns: Record<string,string> = { "[":"[", "![":"![", "*a_":"*a_", "<":"<", "`a``":"`a``", "*a**a":"*a **a ", "> ":"> ", "- nested":"NEST", "[a](":"[a](", "[]()":"[a](b)", "a@":"a@b.c", "www.":"www.a ", "http://":"http://a.b/(", "|":"|", "table":"TABLE", "~~":"~~a~", "&":"&a", "[^1]":"[^1]", "fnotes":"FN", "refdefs":"RD","1) ":"1) ", "\\":"\\[", "[ [":"[ ", "<a ":"<a ", "<!--":"<!--", "`":"`a", "backticks":"BT", "long word":"a", "a **b":"a **b" , "]":"]", "[[]]":"N[]", "__a":"__a", "bq-lines":"BQL", "listlines":"LL", "tabs":"\t- ", "html":"<b>", "entity":"&#x41;", "setext":"a\n=\n", "link nested":"[a](<b", "line":"a\n", "para with www":"wwww.", "h":"http:/", "emails":"a.b-c_d+" };
function make(p: string, n: number): string {
  if (p==="NEST") { let s="",i=0; while(s.length<n){ s+=" ".repeat(2*i++)+"- a\n"; } return s.slice(0,n);}
  if (p==="TABLE") { return "|a|b|\n|-|-|\n"+"|x|y|\n".repeat(n/6); }
  if (p==="FN") { let s="";let i=0; while(s.length<n){ s+=`[^${i}] `; i++;} let t=""; for(let j=0;j<i;j++) t+=`\n[^${j}]: x\n`; return s+"\n"+t;}
  if (p==="RD") { let s="";let i=0; while(s.length<n){ s+=`[a${i}]: b\n`; i++;} return s;}
  if (p==="BT") { let s="";let i=1; while(s.length<n){ s+="`".repeat(i++)+" "; } return s;}
  if (p==="N[]") return "[".repeat(n/2)+"]".repeat(n/2);
  if (p==="BQL") { let s="",i=1; while(s.length<n){ s+=">".repeat(i++%200)+" a\n"; } return s;}
  if (p==="LL") { let s="",i=0; while(s.length<n){ s+=" ".repeat(2*(i++%50))+"- a\n"; } return s;}
  return p.repeat(Math.ceil(n/p.length)).slice(0,n);
}
const only = Deno.args[1];
for (const n of (Deno.args[0] ?? "2000,4000,8000").split(",").map(Number)) {
  const out: [string, number][] = [];
  for (const [k,p] of Object.entries(patterns)) {
    if (only && k!==only) continue;
    const text = make(p,n); const t=performance.now();
    let r=""; try { r=micromark(text,{extensions:[gfm()],htmlExtensions:[gfmHtml()]}); } catch(e) { r="ERR "+(e as Error).message; }
    out.push([k+(r.startsWith("ERR")?" "+r.slice(0,60):""), performance.now()-t]);
  }
  console.log(n, out.sort((a,b)=>b[1]-a[1]).slice(0,14).map(([k,t])=>`${JSON.stringify(k)} ${t.toFixed(0)}`).join("  "));
}
